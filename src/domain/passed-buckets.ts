// A count only grows, so passed buckets cannot win. Between an oracle reading and the next forecast, this
// keeps the two consistent.

import type { BucketRange } from './market-event.ts';

/**
 * The probabilities given that the final count is at least `count`; the same array if no bucket was passed.
 */
export function conditionOnCount(
  probabilities: readonly number[],
  ranges: readonly BucketRange[],
  count: number,
): readonly number[] {
  const isPassed = (i: number) => {
    const hi = ranges[i]?.hi ?? null;
    return hi !== null && hi < count;
  };
  if (!probabilities.some((p, i) => p > 0 && isPassed(i))) return probabilities;
  const kept = probabilities.map((p, i) => (isPassed(i) ? 0 : p));
  const total = kept.reduce((sum, p) => sum + p, 0);
  // No probability is left: all of it goes to the current count's bucket.
  if (!(total > 0)) return ranges.map(({ lo, hi }) => (count >= lo && (hi === null || count <= hi) ? 1 : 0));
  return kept.map((p) => p / total);
}
