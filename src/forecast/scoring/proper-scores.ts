// Proper scores of a count forecast; lower is better. Sums over the distribution are exact, and tests compare
// them with closed forms.

import type { CountDistribution } from '../types.ts';

/** Sum over integers of (F(x) - 1{x >= y})^2. */
export function crps(distribution: CountDistribution, y: number): number {
  let sum = 0;
  let below = 0;
  const end = Math.max(distribution.from + distribution.pmf.length, y);
  for (let x = Math.min(distribution.from, y); x < end; x++) {
    below += distribution.pmf[x - distribution.from] ?? 0;
    const miss = x >= y ? 1 - below : below;
    sum += miss * miss;
  }
  return sum;
}

/** -ln f(y); a distribution that rules out y is scored as if f(y) were 1e-12. */
export function logScore(distribution: CountDistribution, y: number): number {
  return 0 - Math.log(Math.max(1e-12, distribution.pmf[y - distribution.from] ?? 0));
}

/** -ln P(winning bucket). Certainty scores 0, not -0, which the store would not return. */
export function bucketLogScore(probabilities: readonly number[], winner: number): number {
  return 0 - Math.log(Math.max(1e-12, probabilities[winner] ?? 0));
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
export function pitInterval(distribution: CountDistribution, y: number): { lo: number; hi: number } {
  let lo = 0;
  const end = Math.min(distribution.pmf.length, y - distribution.from);
  for (let i = 0; i < end; i++) lo += distribution.pmf[i]!;
  lo = Math.min(1, lo);
  return { lo, hi: Math.min(1, lo + (distribution.pmf[y - distribution.from] ?? 0)) };
}
