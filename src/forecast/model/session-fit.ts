// What is learned of the coming hours: a negative-binomial regression on the session the account is in, and how its
// width changes over the day; and, at every horizon, the width of the plain rate.

import { DAY_MS, HOUR_MS } from '../../domain/units.ts';
import { fitSize } from '../law/negative-binomial.ts';
import { ORIGIN } from '../rate/origin-features.ts';
import type { ExposureClock } from '../time/exposure.ts';
import type { SortedTimes } from '../time/timeline.ts';
import { listRows } from './bank-fit.ts';
import { type CountRegression, type CountSample, fitCountRegression } from './count-regression.ts';
import {
  SESSION_PRIOR_SD,
  SESSION_WIDTH,
  sessionPriorMean,
  writeSessionFeatures,
} from './session-features.ts';
import { ORIGIN_STEP_HOURS, type TrainingSet } from './training-set.ts';

export const SESSION_HOURS = [1, 3, 6, 12, 24];

export interface SessionFit {
  hours: number;
  regression: CountRegression;
  /** Correction of the sizes by local time of day, in steps of three hours. */
  hourFactors: Float64Array;
}

export const SESSION_DAYS = 250;

/** Short windows are many: less history is enough for them. */
function trainingDays(hours: number): number {
  return hours <= 3 ? SESSION_DAYS / 2 : SESSION_DAYS;
}

const HALF_LIFE_DAYS = 120;
const SIZE_PRIOR_AT_DAY = 3.7;

/** Busy spells make longer windows relatively steadier, but slowly. */
function priorSize(hours: number): number {
  return SIZE_PRIOR_AT_DAY * Math.min(1, hours / 24) ** 0.78;
}

/** Longer windows overlap so much that every second origin is enough. */
function chooseStride(hours: number): number {
  return hours >= 6 ? 2 : 1;
}

/** Quiet hours are the more erratic ones: sleep keeps no clock. */
export function quietScale(relativeExposure: number): number {
  return Math.max(0.1, Math.min(3, relativeExposure));
}

/** dayLogRates: the bank's ln rate for the day after each origin of the set. */
export function fitSession(
  hours: number,
  set: TrainingSet,
  dayLogRates: Float64Array,
  counted: SortedTimes,
  exposure: ExposureClock,
  asofTs: number,
): SessionFit {
  const stride = chooseStride(hours);
  const rows = listRows(set, stride, asofTs - hours * HOUR_MS, trainingDays(hours));
  const sample = describeSample(hours, stride, rows, set, dayLogRates, counted, exposure, asofTs);
  const sizePrior = { size: priorSize(hours), logSd: 0.5 };
  const regression = fitCountRegression(
    sample,
    { mean: sessionPriorMean(hours), sd: SESSION_PRIOR_SD },
    sizePrior,
  );
  const angles = rows.map((row) => set.origins[row * ORIGIN.width + ORIGIN.hourAngle]!);
  return {
    hours,
    regression,
    hourFactors: fitHourFactors(sample, regression, angles),
  };
}

/** Base size of the law of the plain rate at one horizon. */
export interface SteadyFit {
  hours: number;
  size: number;
}

export const STEADY_HOURS = [...SESSION_HOURS, 48, 72, 120, 168];

export function fitSteady(
  hours: number,
  set: TrainingSet,
  dayLogRates: Float64Array,
  counted: SortedTimes,
  exposure: ExposureClock,
  asofTs: number,
): SteadyFit {
  const stride = hours >= 48 ? 4 : 2;
  const rows = listRows(set, stride, asofTs - hours * HOUR_MS, SESSION_DAYS);
  const overlap = Math.min(1, (ORIGIN_STEP_HOURS * stride) / hours);
  const ends = rows.map((row) => set.originTs[row]! + hours * HOUR_MS);
  const ahead = rows.map((row, i) => Math.max(0.01, exposure.between(set.originTs[row]!, ends[i]!)));
  const size = fitSize(
    rows.map((row, i) => counted.countSince(set.originTs[row]!, ends[i]!)),
    rows.map((row, i) => ahead[i]! * Math.exp(dayLogRates[row]!)),
    ends.map((endTs) => overlap * 2 ** ((endTs - asofTs) / (HALF_LIFE_DAYS * DAY_MS))),
    ahead.map((part) => quietScale(part / hours)),
    { size: priorSize(hours), logSd: 0.5 },
  );
  return { hours, size };
}

function describeSample(
  hours: number,
  stride: number,
  rows: readonly number[],
  set: TrainingSet,
  dayLogRates: Float64Array,
  counted: SortedTimes,
  exposure: ExposureClock,
  asofTs: number,
): CountSample {
  const n = rows.length;
  const sample: CountSample = {
    features: new Float64Array(n * SESSION_WIDTH),
    width: SESSION_WIDTH,
    counts: new Float64Array(n),
    offsets: new Float64Array(n),
    weights: new Float64Array(n),
    scales: new Float64Array(n),
  };
  const overlap = Math.min(1, (ORIGIN_STEP_HOURS * stride) / hours);
  rows.forEach((row, i) => {
    const ts = set.originTs[row]!;
    const endTs = ts + hours * HOUR_MS;
    const ahead = Math.max(0.01, exposure.between(ts, endTs));
    writeSessionFeatures(set.origins, row * ORIGIN.width, sample.features, i * SESSION_WIDTH);
    sample.counts[i] = counted.countSince(ts, endTs);
    sample.offsets[i] = Math.log(ahead) + dayLogRates[row]!;
    sample.scales[i] = quietScale(ahead / hours);
    sample.weights[i] = overlap * 2 ** ((endTs - asofTs) / (HALF_LIFE_DAYS * DAY_MS));
  });
  return sample;
}

export const HOUR_BINS = 8;
/** How far the width at one time of day may reasonably lie from the others, on the log scale. */
const HOUR_FACTOR_LOG_SD = 0.4;

/** Dawn and evening differ in more than their mean: one size each, drawn to the common one. */
function fitHourFactors(
  sample: CountSample,
  regression: CountRegression,
  angles: readonly number[],
): Float64Array {
  const binOf = (angle: number) => Math.floor((angle / (2 * Math.PI)) * HOUR_BINS) % HOUR_BINS;
  const prior = { size: regression.size, logSd: HOUR_FACTOR_LOG_SD };
  return new Float64Array(HOUR_BINS).map((_, bin) => {
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
  return Math.exp(offsets[i]! + Math.max(-3, Math.min(3, shift)));
}
