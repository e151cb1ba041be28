// What is learned per horizon: the direct regression and the width of each discounted-rate member.

import { DAY_MS, HOUR_MS } from '../domain/units.ts';
import { type CountRegression, fitCountRegression } from './count-regression.ts';
import type { ExposureClock } from './exposure.ts';
import { FEATURE_PRIOR_SD, FEATURE_WIDTH, writeHorizonFeatures } from './horizon-features.ts';
import { fitSize } from './negative-binomial.ts';
import { ORIGIN } from './origin-features.ts';
import type { StateSpaceParameters } from './state-space.ts';
import type { SortedTimes } from './timeline.ts';
import { ORIGIN_STEP_HOURS, type TrainingSet } from './training-set.ts';

export const HORIZON_HOURS = [1, 3, 6, 12, 24, 48, 72, 96, 120, 168, 336, 744];

export interface HorizonFit {
  hours: number;
  regression: CountRegression;
  /** Fitted sizes of the discounted-rate members, by index into COUNTED_HALF_LIVES. */
  rateSizes: Map<number, number>;
}

export interface LearningSettings {
  regressionHalfLifeDays: number;
  widthHalfLifeDays: number;
  minOrigins: number;
}

export const LEARNING: LearningSettings = {
  regressionHalfLifeDays: 150,
  widthHalfLifeDays: 120,
  minOrigins: 40,
};

/** Indexes into COUNTED_HALF_LIVES of the members that are a rate times exposure: 3, 7 and 14 days. */
export const RATE_MEMBERS = [3, 4, 5];

const SIZE_PRIOR_AT_DAY = 8;

/** Busy spells make longer windows relatively steadier, but slowly: size grows like the fifth root of length. */
export function priorSize(hours: number): number {
  return SIZE_PRIOR_AT_DAY * Math.min(1, hours / 24) ** 0.6;
}

export function fitHorizon(
  hours: number,
  set: TrainingSet,
  counted: SortedTimes,
  exposure: ExposureClock,
  parameters: StateSpaceParameters,
  asofTs: number,
  settings: LearningSettings = LEARNING,
): HorizonFit {
  const spanMs = hours * HOUR_MS;
  let n = 0;
  while (n < set.originTs.length && set.originTs[n]! + spanMs <= asofTs) n += 1;
  const features = new Float64Array(n * FEATURE_WIDTH);
  const counts = new Float64Array(n);
  const offsets = new Float64Array(n);
  const exposures = new Float64Array(n);
  const weights = new Float64Array(n);
  const overlap = Math.min(1, ORIGIN_STEP_HOURS / hours);
  const state: [number, number, number] = [0, 0, 0];
  for (let i = 0; i < n; i++) {
    const ts = set.originTs[i]!;
    counts[i] = counted.countSince(ts, ts + spanMs);
    exposures[i] = Math.max(0.01, exposure.between(ts, ts + spanMs));
    state[0] = set.states[i * 3]!;
    state[1] = set.states[i * 3 + 1]!;
    state[2] = set.states[i * 3 + 2]!;
    const blend = writeHorizonFeatures(
      set.origins,
      i * ORIGIN.width,
      state,
      parameters,
      hours,
      features,
      i * FEATURE_WIDTH,
    );
    offsets[i] = Math.log(exposures[i]!) + blend;
    weights[i] = overlap * 2 ** ((ts - asofTs) / (settings.regressionHalfLifeDays * DAY_MS));
  }
  const sizePrior = { size: priorSize(hours), logSd: 0.7 };
  const regression = fitCountRegression(
    { features, width: FEATURE_WIDTH, counts, offsets, weights },
    FEATURE_PRIOR_SD,
    sizePrior,
  );
  const rateSizes = new Map<number, number>();
  const means = new Float64Array(n);
  for (const k of RATE_MEMBERS) {
    for (let i = 0; i < n; i++) {
      means[i] = exposures[i]! * Math.exp(set.origins[i * ORIGIN.width + ORIGIN.counted + k]!);
    }
    rateSizes.set(k, fitSize(counts, means, weights, sizePrior));
  }
  return { hours, regression, rateSizes };
}
