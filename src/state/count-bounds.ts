// Bounds on our count while some posts are undecided or not yet read.

import type { EventState } from './snapshot.ts';

/**
 * null if every post is decided and the backfill is complete. During a backfill our count is too low, so the
 * other counts serve as bounds.
 */
export function boundCount(
  { counters, doubt }: EventState,
  isPastMissing = false,
): { low: number; high: number } | null {
  const { real, oracle, ui } = counters;
  if (real === null || (!doubt && !isPastMissing)) return null;
  const high = real + (doubt?.uncounted ?? 0);
  return {
    low: real - (doubt?.counted ?? 0),
    high: isPastMissing ? Math.max(high, oracle ?? 0, ui ?? 0) : high,
  };
}
