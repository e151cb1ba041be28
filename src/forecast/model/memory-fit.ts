// A regression of the remaining count on discounted rates (half-lives from half a day to three months) and on
// the time since the last post, fitted to the account alone; also the width around the three-month rate, for
// calm accounts.

import { fitSize } from '../distribution/negative-binomial.ts';
import { COUNTED_HALF_LIVES, ORIGIN } from '../rate/origin-features.ts';
import { type CountRegression, fitCountRegression } from './count-regression.ts';
import { type PastSource, priorSize, samplePast } from './past-windows.ts';

const MEMORY_HOURS = [6, 24, 72, 168];
/** Rates that are each compared with the four-week rate. */
const RATES = [0.5, 1.5, 3, 7, 14, 90].map((days) => ORIGIN.counted + COUNTED_HALF_LIVES.indexOf(days));
export const MEMORY_WIDTH = RATES.length + 2;
const PRIOR = { mean: [0, 0, 0, 0.2, 0.3, 0.3, 0, 0], sd: new Float64Array(MEMORY_WIDTH).fill(0.3) };
const MONTH = ORIGIN.counted + COUNTED_HALF_LIVES.indexOf(28);
const QUARTER = ORIGIN.counted + COUNTED_HALF_LIVES.indexOf(90);
const STRIDE = 3;
const DAYS = 300;
const MAX_GAP_HOURS = 12;

export interface MemoryFit {
  hours: number;
  regression: CountRegression;
  /** Size parameter of a negative binomial around the three-month rate. */
  calmSize: number;
}

export function writeMemories(origins: Float64Array, from: number, out: Float64Array, at: number): void {
  out[at] = 1;
  RATES.forEach((k, i) => {
    out[at + 1 + i] = origins[from + k]! - origins[from + MONTH]!;
  });
  out[at + MEMORY_WIDTH - 1] = Math.log1p(Math.min(MAX_GAP_HOURS, origins[from + ORIGIN.gapCountedHours]!));
}

/** ln of the four-week rate per hour of exposure. */
export function monthLogRate(origins: Float64Array, from: number): number {
  return origins[from + MONTH]!;
}

/** ln of the three-month rate per hour of exposure. */
export function quarterLogRate(origins: Float64Array, from: number): number {
  return origins[from + QUARTER]!;
}

export function fitMemories(source: PastSource): MemoryFit[] {
  const { set, exposure } = source;
  return MEMORY_HOURS.map((hours) => {
    const sample = samplePast(
      source,
      { hours, stride: STRIDE, days: DAYS },
      {
        width: MEMORY_WIDTH,
        write: writeMemories,
        offset: (row, fromTs, endTs) =>
          Math.log(Math.max(0.01, exposure.between(fromTs, endTs))) +
          monthLogRate(set.origins, row * ORIGIN.width),
      },
    );
    const calmMeans = sample.offsets.map((offset, i) => {
      const at = sample.rows[i]! * ORIGIN.width;
      return Math.exp(offset - monthLogRate(set.origins, at) + quarterLogRate(set.origins, at));
    });
    const wide = { size: priorSize(hours), logSd: 1.5 };
    return {
      hours,
      regression: fitCountRegression(sample, PRIOR, wide),
      calmSize: fitSize(sample.counts, calmMeans, sample.weights, sample.scales, wide),
    };
  });
}
