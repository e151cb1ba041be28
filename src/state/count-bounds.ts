// Bounds on our count while some posts are undecided or not yet read, or the oracle cannot sync.

import { findFeed } from '../domain/feed.ts';
import type { AccountSnapshot, EventState } from './snapshot.ts';

export interface CountRange {
  low: number;
  high: number;
}

export type BoundsContext = Partial<Pick<AccountSnapshot, 'isPastMissing' | 'feeds'>>;

/**
 * null if every post is decided and the backfill is complete. During a backfill our count is too low, so the
 * other counts serve as bounds. While the oracle cannot sync, it may never import the posts it lacks.
 */
export function boundCount(
  { event, counters, doubt }: EventState,
  { isPastMissing = false, feeds = [] }: BoundsContext = {},
): CountRange | null {
  const { real, oracle, ui } = counters;
  const isUnsynced = !event?.terms && isSyncFailing(feeds) && oracle !== null && oracle < (real ?? 0);
  if (real === null || (!doubt && !isPastMissing && !isUnsynced)) return null;
  const [low, high] = [real - (doubt?.counted ?? 0), real + (doubt?.uncounted ?? 0)];
  return {
    low: isUnsynced ? Math.min(low, oracle) : low,
    high: isPastMissing ? Math.max(high, oracle ?? 0, ui ?? 0) : high,
  };
}

/** The oracle's feed raises an alarm only for a failed sync. */
export function isSyncFailing(feeds: AccountSnapshot['feeds']): boolean {
  return Boolean(findFeed(feeds, 'oracle')?.alarm);
}
