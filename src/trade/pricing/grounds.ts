// Inputs of advice: posts, oracle, prices and forecast. There is no advice on stale ones: prices unread for
// four minutes once looked "still cheap".

import type { FeedName, FeedStatus } from '../../domain/feed.ts';

/** Feeds that stop advice when stale, as text. */
const GROUNDS: readonly { feed: FeedName; what: string }[] = [
  { feed: 'own', what: 'posts' },
  { feed: 'oracle', what: "the oracle's count" },
  { feed: 'prices', what: 'prices' },
  { feed: 'forecast', what: 'the forecast' },
];

export interface Grounds {
  feeds: readonly FeedStatus[];
  /** When this event's own reading was confirmed, if that differs from the feed's last answer. */
  oracleUpdatedTs: number | null;
  forecastAsofTs: number | null;
  isPastMissing: boolean;
}

/** Why there is no advice now; null if all inputs are fresh. */
export function findBlindness(grounds: Grounds, nowTs: number): string | null {
  if (grounds.isPastMissing) return 'posts from before the first start are still coming in: counts are short';
  const stale = GROUNDS.flatMap(({ feed, what }) => {
    const status = grounds.feeds.find((candidate) => candidate.feed === feed);
    // Health reports a feed that is not configured; advice works without it.
    return status
      ? describeStaleness(what, updatedTsOf(feed, status, grounds), status.staleAfterMs, nowTs)
      : [];
  });
  return stale.length === 0 ? null : `no advice on stale data: ${stale.join(', ')}`;
}

function updatedTsOf(feed: FeedName, status: FeedStatus, grounds: Grounds): number | null {
  if (feed === 'oracle') return grounds.oracleUpdatedTs;
  if (feed === 'forecast') return grounds.forecastAsofTs;
  return status.updatedTs;
}

function describeStaleness(what: string, updatedTs: number | null, limitMs: number, nowTs: number): string[] {
  if (updatedTs === null) return [`${what} never received`];
  const ageMs = nowTs - updatedTs;
  return ageMs > limitMs ? [`${what} stale for ${describeDuration(ageMs)}`] : [];
}

export function describeDuration(durationMs: number): string {
  const minutes = Math.floor(durationMs / 60_000);
  if (minutes < 1) return `${Math.floor(durationMs / 1000)} s`;
  if (minutes < 120) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} days`;
}
