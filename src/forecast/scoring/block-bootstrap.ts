// Paired moving-block bootstrap: intervals for means and skills of scores that overlap in time.

import type { Random } from '../../runtime/random.ts';

export interface Interval {
  lo: number;
  hi: number;
}

/** Calls `use` once per resample with n indexes drawn in whole blocks. */
export function resampleBlocks(
  n: number,
  blockLength: number,
  resamples: number,
  random: Random,
  use: (indexes: Int32Array) => number,
): Float64Array {
  const length = Math.max(1, Math.min(blockLength, n));
  const indexes = new Int32Array(n);
  const values = new Float64Array(resamples);
  for (let r = 0; r < resamples; r++) {
    for (let i = 0; i < n; i += length) {
      const start = Math.floor(random.uniform() * (n - length + 1));
      for (let j = 0; j < length && i + j < n; j++) indexes[i + j] = start + j;
    }
    values[r] = use(indexes);
  }
  return values.sort();
}

/** The central 90 % of sorted values. */
export function intervalOf(sorted: Float64Array): Interval {
  const tail = (1 - 0.9) / 2;
  const at = (q: number) =>
    sorted[Math.min(sorted.length - 1, Math.max(0, Math.floor(q * sorted.length)))] ?? 0;
  return { lo: at(tail), hi: at(1 - tail) };
}

/** Interval of the mean of a series. */
export function bootstrapMean(
  values: ArrayLike<number>,
  blockLength: number,
  resamples: number,
  random: Random,
): Interval {
  const sorted = resampleBlocks(values.length, blockLength, resamples, random, (indexes) => {
    let sum = 0;
    for (const i of indexes) sum += values[i]!;
    return sum / indexes.length;
  });
  return intervalOf(sorted);
}

/** Interval of the skill 1 - mean(scores) / mean(reference), resampling both series together. */
export function bootstrapSkill(
  scores: ArrayLike<number>,
  reference: ArrayLike<number>,
  blockLength: number,
  resamples: number,
  random: Random,
): Interval {
  const sorted = resampleBlocks(scores.length, blockLength, resamples, random, (indexes) => {
    let ours = 0;
    let theirs = 0;
    for (const i of indexes) {
      ours += scores[i]!;
      theirs += reference[i]!;
    }
    return 1 - ours / theirs;
  });
  return intervalOf(sorted);
}

// Wilson score interval for a proportion, valid for few trials and near 0 and 1.

const Z_95 = 1.959963985;

/** As fractions; null without trials. */
export function computeWilsonInterval(
  hits: number,
  trials: number,
  z = Z_95,
): { lo: number; hi: number } | null {
  if (trials === 0) return null;
  const rate = hits / trials;
  const z2 = z * z;
  const centre = (rate + z2 / (2 * trials)) / (1 + z2 / trials);
  const half = (z / (1 + z2 / trials)) * Math.sqrt((rate * (1 - rate)) / trials + z2 / (4 * trials * trials));
  return { lo: Math.max(0, centre - half), hi: Math.min(1, centre + half) };
}
