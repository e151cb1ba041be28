// A count only grows, so passed buckets cannot win. This keeps the forecast consistent with an oracle reading
// until the next forecast.

import type { BucketRange } from './market-event.ts';

/**
 * Conditions the probabilities on a final count of at least `count`. Returns the same array if no bucket was
 * passed.
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
  // Every bucket with nonzero probability was passed, so the current count's bucket gets all of it.
  if (!(total > 0)) return ranges.map(({ lo, hi }) => (count >= lo && (hi === null || count <= hi) ? 1 : 0));
  return kept.map((p) => p / total);
}
