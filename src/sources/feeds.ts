// The registry of feeds: polling period, timeout, staleness limit, and the largest plausible change in a
// count.

import type { FeedName } from '../domain/feed.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../domain/units.ts';
import type { CountBounds } from './plausibility.ts';

export type RegisteredFeed = FeedName | 'deletions' | 'settled' | 'crypto' | 'venue' | 'settlement-list';

export interface FeedSpec {
  feed: RegisteredFeed;
  pollPeriodMs: number;
  /** For one attempt, including all its pages. */
  timeoutMs: number;
  staleAfterMs: number;
  maxBackoffMs: number;
  /** For feeds that carry a count. */
  bounds: CountBounds | null;
}

/** The oracle syncs every few minutes and the page may be cached, so held values wait for several polls. */
const COUNT_BOUNDS: CountBounds = {
  maxFall: 50,
  maxRise: 500,
  confirmObservations: 10,
  confirmPeriodMs: 10 * MINUTE_MS,
};

/** A failing feed is polled once a minute, far less often than normal, so it recovers within a minute. */
const SPECS: readonly FeedSpec[] = [
  // One poll a second is 900 per 15 minutes: exactly what the platform allows per token.
  spec('own', 1 * SECOND_MS, 10 * SECOND_MS, 30 * SECOND_MS, 1 * MINUTE_MS),
  // Polled every 10 s. Its age is the age of the oracle's last sync, which runs every four to nine minutes.
  spec('oracle', 10 * SECOND_MS, 60 * SECOND_MS, 15 * MINUTE_MS, 1 * MINUTE_MS, COUNT_BOUNDS),
  // The page's count comes with the events, so both are polled together. Lists are cached for up to five
  // minutes, which counts toward their age.
  spec('ui', 15 * SECOND_MS, 30 * SECOND_MS, 7 * MINUTE_MS, 1 * MINUTE_MS, COUNT_BOUNDS),
  spec('market', 15 * SECOND_MS, 30 * SECOND_MS, 7 * MINUTE_MS, 1 * MINUTE_MS),
  // Polled over REST while the websocket is silent.
  spec('prices', 5 * SECOND_MS, 15 * SECOND_MS, 1 * MINUTE_MS, 1 * MINUTE_MS),
  // Published internally once a minute and after every post. Stale after five missed updates.
  spec('forecast', 1 * MINUTE_MS, 30 * SECOND_MS, 5 * MINUTE_MS, 1 * MINUTE_MS),
  spec('deletions', 30 * SECOND_MS, 20 * SECOND_MS, 5 * MINUTE_MS, 5 * MINUTE_MS),
  spec('settled', 2 * MINUTE_MS, 2 * MINUTE_MS, 1 * HOUR_MS, 1 * MINUTE_MS),
  spec('venue', 30 * SECOND_MS, 30 * SECOND_MS, 7 * MINUTE_MS, 1 * MINUTE_MS),
  spec('settlement-list', 1 * MINUTE_MS, 60 * SECOND_MS, 15 * MINUTE_MS, 5 * MINUTE_MS),
  spec('crypto', 15 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 1 * MINUTE_MS),
];

export const FEEDS: Readonly<Record<RegisteredFeed, FeedSpec>> = Object.fromEntries(
  SPECS.map((entry) => [entry.feed, entry]),
) as Record<RegisteredFeed, FeedSpec>;

/** A few real seconds of silence never make a feed stale, at any simulator speed. */
const MIN_REAL_SILENCE_MS = 5 * SECOND_MS;

/** `timeScale` is the speed of the clock relative to real time. */
export function getStaleAfterMs(feed: RegisteredFeed, timeScale: number): number {
  const { staleAfterMs } = FEEDS[feed];
  return timeScale > 1 ? Math.max(staleAfterMs, MIN_REAL_SILENCE_MS * timeScale) : staleAfterMs;
}

function spec(
  feed: RegisteredFeed,
  pollPeriodMs: number,
  timeoutMs: number,
  staleAfterMs: number,
  maxBackoffMs: number,
  bounds: CountBounds | null = null,
): FeedSpec {
  return { feed, pollPeriodMs, timeoutMs, staleAfterMs, maxBackoffMs, bounds };
}
