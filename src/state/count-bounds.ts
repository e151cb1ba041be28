// Bounds on our count while some posts are undecided or not yet read, or the oracle cannot sync.

import { type DisputedKinds, findDisputed } from '../domain/counted-kinds.ts';
import { findFeed } from '../domain/feed.ts';
import type { AccountSnapshot, EventState } from './snapshot.ts';

export interface CountRange {
  low: number;
  high: number;
}

export type BoundsContext = Partial<Pick<AccountSnapshot, 'isPastMissing' | 'feeds' | 'countedKinds'>>;

/**
 * null if every post is decided and the backfill is complete, or if both bounds are equal. During a backfill our
 * count is too low, so the other counts serve as bounds. While the oracle cannot sync, it may never import the
 * posts it lacks. Replies to itself are undecided if settled windows show that the oracle judged some of them
 * otherwise.
 */
export function boundCount(
  { event, counters, doubt }: EventState,
  { isPastMissing = false, feeds = [], countedKinds }: BoundsContext = {},
): CountRange | null {
  const { real, oracle, ui } = counters;
  const isUnsynced = !event?.terms && isSyncFailing(feeds) && oracle !== null && oracle < (real ?? 0);
  const open = countOpen(doubt, event?.terms ? null : findDisputed(countedKinds));
  if (real === null || (open.below + open.above === 0 && !isPastMissing && !isUnsynced)) return null;
  const [low, high] = [real - open.below, real + open.above];
  const widest = {
    low: isUnsynced ? Math.min(low, oracle) : low,
    high: isPastMissing ? Math.max(high, oracle ?? 0, ui ?? 0) : high,
  };
  return widest.low === widest.high ? null : widest;
}

function countOpen(
  doubt: EventState['doubt'],
  disputed: DisputedKinds | null,
): { below: number; above: number } {
  const ownThread = disputed && disputed.ownRejected > 0 ? (doubt?.ownThread ?? 0) : 0;
  const otherThread = disputed && disputed.otherAccepted > 0 ? (doubt?.otherThread ?? 0) : 0;
  return { below: (doubt?.counted ?? 0) + ownThread, above: (doubt?.uncounted ?? 0) + otherThread };
}

/** The oracle's feed raises an alarm only for a failed sync. */
export function isSyncFailing(feeds: AccountSnapshot['feeds']): boolean {
  return Boolean(findFeed(feeds, 'oracle')?.alarm);
}
