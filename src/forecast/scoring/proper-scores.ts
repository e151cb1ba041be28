// Proper scores of a count forecast; lower is better. Exact sums over the law, closed forms only in tests.

import type { CountLaw } from '../types.ts';

/** Sum over integers of (F(x) - 1{x >= y})^2. */
export function crps(law: CountLaw, y: number): number {
  let sum = 0;
  let below = 0;
  const end = Math.max(law.from + law.pmf.length, y);
  for (let x = Math.min(law.from, y); x < end; x++) {
    below += law.pmf[x - law.from] ?? 0;
    const miss = x >= y ? 1 - below : below;
    sum += miss * miss;
  }
  return sum;
}

/** -ln f(y); a law that excludes y pays as if it had left 1e-12. */
export function logScore(law: CountLaw, y: number): number {
  return -Math.log(Math.max(1e-12, law.pmf[y - law.from] ?? 0));
}

/** -ln P(bucket that won). */
export function bucketLogScore(probabilities: readonly number[], winner: number): number {
  return -Math.log(Math.max(1e-12, probabilities[winner] ?? 0));
}

/** Ranked probability score over ordered buckets. */
export function rankedProbabilityScore(probabilities: readonly number[], winner: number): number {
  let below = 0;
  let sum = 0;
  probabilities.forEach((p, j) => {
    below += p;
    sum += (below - (j >= winner ? 1 : 0)) ** 2;
  });
  return sum;
}

/** Probability integral transform of a count: the interval [F(y - 1), F(y)]. */
export function pitInterval(law: CountLaw, y: number): { lo: number; hi: number } {
  let lo = 0;
  const end = Math.min(law.pmf.length, y - law.from);
  for (let i = 0; i < end; i++) lo += law.pmf[i]!;
  lo = Math.min(1, lo);
  return { lo, hi: Math.min(1, lo + (law.pmf[y - law.from] ?? 0)) };
}
