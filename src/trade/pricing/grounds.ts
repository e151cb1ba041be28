// What advice rests on: posts, oracle, prices and forecast. What was not heard lately is not known, and nothing is
// advised on it. Prices that stood still for four minutes because nobody could read them once read as "still cheap".

import type { FeedName, FeedStatus } from '../../domain/feed.ts';

/** Feeds that stop advice when they are dark, with the words for a person. */
const GROUNDS: readonly { feed: FeedName; what: string }[] = [
  { feed: 'own', what: 'posts' },
  { feed: 'oracle', what: "the oracle's count" },
  { feed: 'prices', what: 'prices' },
  { feed: 'forecast', what: 'the forecast' },
];

export interface Grounds {
  feeds: readonly FeedStatus[];
  /** When this event's own reading was confirmed, where that differs from the feed's last answer. */
  oracleUpdatedTs: number | null;
  forecastAsofTs: number | null;
  isPastMissing: boolean;
}

/** Why no advice may rest on what is known now; null when all of it was heard lately enough. */
export function findBlindness(grounds: Grounds, nowTs: number): string | null {
  if (grounds.isPastMissing) return 'posts from before the first start are still coming in: counts are short';
  const dark = GROUNDS.flatMap(({ feed, what }) => {
    const status = grounds.feeds.find((candidate) => candidate.feed === feed);
    // An operator who runs without a feed is told so by health; here it is no ground at all.
    return status
      ? describeDarkness(what, updatedTsOf(feed, status, grounds), status.staleAfterMs, nowTs)
      : [];
  });
  return dark.length === 0 ? null : `no advice on what was not heard: ${dark.join(', ')}`;
}

function updatedTsOf(feed: FeedName, status: FeedStatus, grounds: Grounds): number | null {
  if (feed === 'oracle') return grounds.oracleUpdatedTs;
  if (feed === 'forecast') return grounds.forecastAsofTs;
  return status.updatedTs;
}

function describeDarkness(what: string, updatedTs: number | null, limitMs: number, nowTs: number): string[] {
  if (updatedTs === null) return [`${what} never heard`];
  const ageMs = nowTs - updatedTs;
  return ageMs > limitMs ? [`${what} dark for ${describeDuration(ageMs)}`] : [];
}

export function describeDuration(durationMs: number): string {
  const minutes = Math.floor(durationMs / 60_000);
  if (minutes < 1) return `${Math.floor(durationMs / 1000)} s`;
  if (minutes < 120) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} days`;
}
