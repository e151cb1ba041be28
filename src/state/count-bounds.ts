// Bounds on our count while some posts are undecided or not yet read.

import type { EventState } from './snapshot.ts';

/**
 * Empty if every post is decided and the backfill is complete. During a backfill our count is too low, so the
 * other counts serve as bounds.
 */
export function presentBounds(
  { counters, doubt }: EventState,
  isPastMissing = false,
): { real_counter_low?: number; real_counter_high?: number } {
  const { real, oracle, ui } = counters;
  if (real === null || (!doubt && !isPastMissing)) return {};
  const high = real + (doubt?.uncounted ?? 0);
  return {
    real_counter_low: real - (doubt?.counted ?? 0),
    real_counter_high: isPastMissing ? Math.max(high, oracle ?? 0, ui ?? 0) : high,
  };
}
