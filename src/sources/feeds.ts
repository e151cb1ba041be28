// The registry of feeds: how often each is asked, how long it may take, when its silence means dark,
// and which change of a count is too large to believe at once.

import type { FeedName } from '../domain/feed.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../domain/units.ts';
import type { CountBounds } from './plausibility.ts';

export type RegisteredFeed = FeedName | 'deletions' | 'settled' | 'crypto' | 'venue' | 'settlement-list';

export interface FeedSpec {
  feed: RegisteredFeed;
  pollPeriodMs: number;
  /** For one attempt, all its pages included. */
  timeoutMs: number;
  staleAfterMs: number;
  maxBackoffMs: number;
  /** For feeds that carry a count. */
  bounds: CountBounds | null;
}

/** The oracle moves in cycles of minutes, the page shows what it shows: held values wait for several looks. */
const COUNT_BOUNDS: CountBounds = {
  maxFall: 50,
  maxRise: 500,
  confirmObservations: 10,
  confirmPeriodMs: 10 * MINUTE_MS,
};

/** Whoever is away is asked once a minute, several times more rarely than when well, and is heard a minute after it is back. */
const SPECS: readonly FeedSpec[] = [
  // One poll a second is 900 per 15 minutes: just what the platform allows a single token.
  spec('own', 1 * SECOND_MS, 10 * SECOND_MS, 30 * SECOND_MS, 1 * MINUTE_MS),
  // Asked once per 10 s; its age is that of its own look at the platform, which it takes every four to nine minutes.
  spec('oracle', 10 * SECOND_MS, 60 * SECOND_MS, 15 * MINUTE_MS, 1 * MINUTE_MS, COUNT_BOUNDS),
  // The page's count travels with the events, so both are asked together. Lists come through a cache of up to five
  // minutes, whose age counts: darkness begins beyond it.
  spec('ui', 15 * SECOND_MS, 30 * SECOND_MS, 7 * MINUTE_MS, 1 * MINUTE_MS, COUNT_BOUNDS),
  spec('market', 15 * SECOND_MS, 30 * SECOND_MS, 7 * MINUTE_MS, 1 * MINUTE_MS),
  // Fall-back by REST while the websocket is silent.
  spec('prices', 5 * SECOND_MS, 15 * SECOND_MS, 1 * MINUTE_MS, 1 * MINUTE_MS),
  // Not asked of anyone: published once a minute and after every post. Five missed minutes are darkness.
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

/** However fast the simulator turns, a few real seconds of silence are not darkness yet. */
const LEAST_REAL_SILENCE_MS = 5 * SECOND_MS;

/** `timeScale` is how fast the clock runs against real time. */
export function getStaleAfterMs(feed: RegisteredFeed, timeScale: number): number {
  const { staleAfterMs } = FEEDS[feed];
  return timeScale > 1 ? Math.max(staleAfterMs, LEAST_REAL_SILENCE_MS * timeScale) : staleAfterMs;
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
