// Moments and single probabilities, which only tests need.

import type { CountDistribution } from '../types.ts';

export function probabilityOf({ from, pmf }: CountDistribution, x: number): number {
  return pmf[x - from] ?? 0;
}

export function distributionMean({ from, pmf }: CountDistribution): number {
  return pmf.reduce((sum, p, i) => sum + (from + i) * p, 0);
}

export function distributionVariance(distribution: CountDistribution): number {
  const mean = distributionMean(distribution);
  return distribution.pmf.reduce((sum, p, i) => sum + (distribution.from + i - mean) ** 2 * p, 0);
}
