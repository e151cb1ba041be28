// What is learned per horizon: the direct regression and the width of each discounted-rate member.

import { DAY_MS, HOUR_MS } from '../../domain/units.ts';
import { fitSize } from '../law/negative-binomial.ts';
import type { ResolvedWindows } from '../law/recalibration.ts';
import { ORIGIN } from '../rate/origin-features.ts';
import type { ExposureClock } from '../time/exposure.ts';
import type { SortedTimes } from '../time/timeline.ts';
import { type CountRegression, type CountSample, fitCountRegression } from './count-regression.ts';
import { FEATURE_PRIOR_SD, featureWidth, writeHorizonFeatures } from './horizon-features.ts';
import { type StateSpaceParameters, widthFactor } from './state-space.ts';
import { ORIGIN_STEP_HOURS, type TrainingSet } from './training-set.ts';

export const HORIZON_HOURS = [1, 3, 6, 12, 24, 48, 72, 120, 168, 336, 744];

export interface HorizonFit {
  hours: number;
  regression: CountRegression;
  /** Fitted base sizes of the members whose mean is given: the discounted rate and the core's median. */
  rateSize: number;
  coreSize: number;
  /** Correction of the sizes by local time of day, in steps of three hours; all 1 from a day on. */
  hourFactors: Float64Array;
  /** What the regression would have said of past windows a day apart. */
  resolved: ResolvedWindows;
}

const HALF_LIFE_DAYS = 150;
const RESOLVED_STEP_HOURS = 24;
const SIZE_PRIOR_AT_DAY = 8;

/** Busy spells make longer windows relatively steadier, but slowly: size grows like the fifth root of length. */
export function priorSize(hours: number): number {
  return SIZE_PRIOR_AT_DAY * Math.min(1, hours / 24) ** 0.6;
}

/**
 * How the size departs from its fitted base: quiet hours are the more erratic ones (sleep keeps no clock),
 * and a spell in which the account moves more than usual widens every horizon.
 */
export function sizeScale(hours: number, relativeExposure: number, spread: number): number {
  const quiet = Math.max(0.1, Math.min(3, relativeExposure)) ** QUIET_POWER;
  return quiet / widthFactor(spread) ** (hours < 24 ? SHORT_SPREAD_POWER : 1);
}

const QUIET_POWER = 1;
const SHORT_SPREAD_POWER = 0.5;

export function fitHorizon(
  hours: number,
  set: TrainingSet,
  counted: SortedTimes,
  exposure: ExposureClock,
  parameters: StateSpaceParameters,
  asofTs: number,
): HorizonFit {
  const spanMs = hours * HOUR_MS;
  const width = featureWidth(hours);
  const stride = chooseStride(hours);
  // Counted back from the last origin, so that the grid does not depend on where the record begins.
  const rows: number[] = [];
  const earliestTs = asofTs - spanMs - trainingDays(hours) * DAY_MS;
  for (let i = (set.originTs.length - 1) % stride; i < set.originTs.length; i += stride) {
    const ts = set.originTs[i]!;
    if (ts >= earliestTs && ts + spanMs <= asofTs) rows.push(i);
  }
  const n = rows.length;
  const features = new Float64Array(n * width);
  const counts = new Float64Array(n);
  const offsets = new Float64Array(n);
  const exposures = new Float64Array(n);
  const weights = new Float64Array(n);
  const overlap = Math.min(1, (ORIGIN_STEP_HOURS * stride) / hours);
  const scales = new Float64Array(n);
  const state: [number, number, number] = [0, 0, 0];
  for (let i = 0; i < n; i++) {
    const row = rows[i]!;
    const ts = set.originTs[row]!;
    counts[i] = counted.countSince(ts, ts + spanMs);
    exposures[i] = Math.max(0.01, exposure.between(ts, ts + spanMs));
    for (let k = 0; k < 3; k++) state[k] = set.states[row * 3 + k]!;
    const at = row * ORIGIN.width;
    const blend = writeHorizonFeatures(set.origins, at, state, parameters, hours, features, i * width);
    offsets[i] = Math.log(exposures[i]!) + blend;
    scales[i] = sizeScale(hours, exposures[i]! / hours, set.spreads[row]!);
    weights[i] = overlap * 2 ** ((ts - asofTs) / (HALF_LIFE_DAYS * DAY_MS));
  }
  const sizePrior = { size: priorSize(hours), logSd: 0.7 };
  const sample = { features, width, counts, offsets, weights, scales };
  const regression = fitCountRegression(sample, FEATURE_PRIOR_SD, sizePrior);
  const rateMeans = exposures.map(
    (e, i) => e * Math.exp(set.origins[rows[i]! * ORIGIN.width + ORIGIN.ownRate]!),
  );
  const coreMeans = offsets.map((offset, i) => Math.exp(offset + features[i * width + 1]!));
  return {
    hours,
    regression,
    rateSize: fitSize(counts, rateMeans, weights, scales, sizePrior, regression.size),
    coreSize: fitSize(counts, coreMeans, weights, scales, sizePrior, regression.size),
    hourFactors: fitHourFactors(
      hours,
      sample,
      regression,
      rows.map((row) => set.origins[row * ORIGIN.width + ORIGIN.hourAngle]!),
    ),
    resolved: listResolved(hours, stride, sample, regression),
  };
}

export const HOUR_BINS = 8;
/** How far the width at one time of day may reasonably lie from the others, on the log scale. */
const HOUR_FACTOR_LOG_SD = 0.4;
const LONGEST_HOURLY = 12;

/** Dawn and evening differ in more than their mean: one size each, drawn to the common one. */
function fitHourFactors(
  hours: number,
  sample: CountSample,
  regression: CountRegression,
  angles: readonly number[],
): Float64Array {
  const factors = new Float64Array(HOUR_BINS).fill(1);
  if (hours > LONGEST_HOURLY) return factors;
  const binOf = (angle: number) => Math.floor((angle / (2 * Math.PI)) * HOUR_BINS) % HOUR_BINS;
  const prior = { size: regression.size, logSd: HOUR_FACTOR_LOG_SD };
  return factors.map((_, bin) => {
    const rows = angles.flatMap((angle, i) => (binOf(angle) === bin ? [i] : []));
    const pick = (values: Float64Array) => rows.map((i) => values[i]!);
    const means = rows.map((i) => meanOf(sample, regression, i));
    const size = fitSize(pick(sample.counts), means, pick(sample.weights), pick(sample.scales), prior);
    return size / regression.size;
  });
}

/** What the regression says of one row of its sample. */
function meanOf({ offsets, features, width }: CountSample, { beta }: CountRegression, i: number): number {
  let shift = 0;
  for (let k = 0; k < width; k++) shift += features[i * width + k]! * beta[k]!;
  return Math.exp(offsets[i]! + shift);
}

/** The direct member's words on past windows, one a day, oldest first. */
function listResolved(
  hours: number,
  stride: number,
  sample: CountSample,
  regression: CountRegression,
): ResolvedWindows {
  const { counts, scales } = sample;
  const step = Math.max(1, Math.round(RESOLVED_STEP_HOURS / (ORIGIN_STEP_HOURS * stride)));
  const kept: number[] = [];
  for (let i = (counts.length - 1 + step) % step; i < counts.length; i += step) kept.push(i);
  return {
    hours,
    stepHours: RESOLVED_STEP_HOURS,
    counts: kept.map((i) => counts[i]!),
    means: kept.map((i) => meanOf(sample, regression, i)),
    sizes: kept.map((i) => regression.size * scales[i]!),
  };
}

/** Long windows overlap so much that every second or fourth origin says the same. */
function chooseStride(hours: number): number {
  return hours >= 96 ? 4 : hours >= 24 ? 2 : 1;
}

/** Short windows are many: less history is enough for them, and they change habits sooner. */
function trainingDays(hours: number): number {
  if (hours <= 3) return 100;
  return hours < 24 ? 200 : 365;
}
