// A count distribution: one probability mass function behind all percentiles and bucket probabilities.

import type { BucketRange } from '../../domain/market-event.ts';
import type { CountDistribution } from '../types.ts';

/** Tail mass below this is cut before renormalising. */
const TRIM = 1e-10;
/** Minimum probability of a bucket that can still win. */
const BUCKET_FLOOR = 1e-4;

/** Cuts negligible tails and rescales to sum to 1. */
export function trimDistribution(from: number, pmf: Float64Array): CountDistribution {
  let first = 0;
  let last = pmf.length - 1;
  let mass = 0;
  while (first < last && mass + pmf[first]! < TRIM) mass += pmf[first++]!;
  mass = 0;
  while (last > first && mass + pmf[last]! < TRIM) mass += pmf[last--]!;
  const kept = pmf.slice(first, last + 1);
  let total = 0;
  // An indexed loop, because an iterator would allocate an object per number.
  for (let i = 0; i < kept.length; i++) total += kept[i]!;
  // Failing is better than publishing NaN.
  if (!(total > 0)) throw new RangeError(`the distribution has mass ${total}`);
  for (let i = 0; i < kept.length; i++) kept[i]! /= total;
  return { from: from + first, pmf: kept };
}

/** A degenerate distribution: all mass on one count. */
export function certainDistribution(count: number): CountDistribution {
  return { from: count, pmf: new Float64Array([1]) };
}

export function shiftDistribution(distribution: CountDistribution, by: number): CountDistribution {
  return { from: distribution.from + by, pmf: distribution.pmf };
}

/** Weighted mixture; weights need not sum to 1. */
export function mixDistributions(
  distributions: readonly CountDistribution[],
  weights: ArrayLike<number>,
): CountDistribution {
  const from = Math.min(...distributions.map((distribution) => distribution.from));
  const end = Math.max(...distributions.map((distribution) => distribution.from + distribution.pmf.length));
  const pmf = new Float64Array(end - from);
  distributions.forEach((distribution, k) => {
    const offset = distribution.from - from;
    for (let i = 0; i < distribution.pmf.length; i++) pmf[offset + i]! += weights[k]! * distribution.pmf[i]!;
  });
  return trimDistribution(from, pmf);
}

/** Distribution of the sum of two independent counts. */
export function convolveDistributions(a: CountDistribution, b: CountDistribution): CountDistribution {
  const pmf = new Float64Array(a.pmf.length + b.pmf.length - 1);
  for (let i = 0; i < a.pmf.length; i++) {
    const p = a.pmf[i]!;
    for (let j = 0; j < b.pmf.length; j++) pmf[i + j]! += p * b.pmf[j]!;
  }
  return { from: a.from + b.from, pmf };
}

/** P(count <= x). */
export function cdf(distribution: CountDistribution, x: number): number {
  const end = Math.min(distribution.pmf.length - 1, Math.floor(x) - distribution.from);
  let sum = 0;
  for (let i = 0; i <= end; i++) sum += distribution.pmf[i]!;
  return Math.min(1, sum);
}

/** Smallest integer x with P(count <= x) >= q. */
export function percentile(distribution: CountDistribution, q: number): number {
  let sum = 0;
  for (let i = 0; i < distribution.pmf.length; i++) {
    sum += distribution.pmf[i]!;
    if (sum >= q - 1e-12) return distribution.from + i;
  }
  return distribution.from + distribution.pmf.length - 1;
}

/**
 * Probability of each bucket. A passed bucket gets exactly 0; any other gets at least the floor and, while
 * two or more are open, less than 1. The sum is 1 if the buckets cover every count.
 */
export function bucketProbabilities(
  distribution: CountDistribution,
  ranges: readonly BucketRange[],
  countSoFar: number,
): number[] {
  const raw = ranges.map((range) => rangeProbability(distribution, range));
  const isPassed = ranges.map((range) => range.hi !== null && range.hi < countSoFar);
  const openTotal = raw.reduce((sum, p, i) => sum + (isPassed[i] ? 0 : p), 0);
  const openCount = isPassed.filter((passed) => !passed).length;
  if (openCount === 0) return raw.map(() => 0);
  // Mixing with a uniform distribution over the open buckets keeps the order and the sum in one pass.
  const keep = 1 - BUCKET_FLOOR * openCount;
  return raw.map((p, i) => {
    if (isPassed[i]) return 0;
    return BUCKET_FLOOR + keep * (openTotal > 0 ? p / openTotal : 1 / openCount);
  });
}

function rangeProbability(distribution: CountDistribution, range: BucketRange): number {
  const first = Math.max(0, range.lo - distribution.from);
  const last =
    range.hi === null
      ? distribution.pmf.length - 1
      : Math.min(distribution.pmf.length - 1, range.hi - distribution.from);
  let sum = 0;
  for (let i = first; i <= last; i++) sum += distribution.pmf[i]!;
  return sum;
}
