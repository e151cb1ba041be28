// What is learned of the coming hours and days: a negative-binomial regression on the session the account is in and on how
// its rate has moved, and how its width changes over the day; and, up to a day, the width of the plain rate.

import { DAY_MS, HOUR_MS } from '../../domain/units.ts';
import { fitSize } from '../distribution/negative-binomial.ts';
import { ORIGIN, type OriginDescriber } from '../rate/origin-features.ts';
import type { ExposureClock } from '../time/exposure.ts';
import type { SortedTimes } from '../time/timeline.ts';
import { listRows } from './bank-fit.ts';
import { type CountRegression, type CountSample, fitCountRegression } from './count-regression.ts';
import {
  DAYS_PRIOR_SD,
  HOURS_PRIOR_SD,
  SESSION_WIDTH,
  sessionPriorMean,
  writeSessionFeatures,
} from './session-features.ts';
import { ORIGIN_STEP_HOURS, type TrainingSet } from './training-set.ts';

export const SESSION_HOURS = [1, 3, 6, 12, 24, 72, 168];

export interface SessionFit {
  hours: number;
  regression: CountRegression;
  /** Correction of the sizes by local time of day, in steps of three hours. */
  hourFactors: Float64Array;
}

export const SESSION_DAYS = 250;

/** Short windows are many: less history is enough for them. */
const SHORT_DAYS = SESSION_DAYS / 2;
/** Origins are no divisor of a day apart, so that they come round to every time of day. */
const SHORT_STEP_HOURS = 3.5;
const LONG_STEP_HOURS = 7;
/** From this horizon on the features move the rate little, so the bank's word weighs more and neighbours say the same. */
const DAY_HOURS = 24;

/** Past origins of the session, newest first. */
interface SessionOrigins {
  stepHours: number;
  originTs: Float64Array;
  /** ln of the bank's rate for the day to come, as it stood at the last origin of the training set. */
  dayLogRates: Float64Array;
  /** ORIGIN vectors, row-major. */
  origins: Float64Array;
}

function listOrigins(
  describer: OriginDescriber,
  set: TrainingSet,
  setLogRates: Float64Array,
  asofTs: number,
  stepHours: number,
  days: number,
): SessionOrigins {
  const stepMs = stepHours * HOUR_MS;
  const firstTs = set.originTs[0] ?? asofTs;
  const n = Math.max(0, Math.floor(Math.min(days * DAY_MS, asofTs - firstTs) / stepMs));
  const originTs = Float64Array.from({ length: n }, (_, i) => asofTs - i * stepMs);
  const rowAt = (ts: number) => Math.floor((ts - firstTs) / (ORIGIN_STEP_HOURS * HOUR_MS));
  const dayLogRates = originTs.map((ts) => setLogRates[Math.min(setLogRates.length - 1, rowAt(ts))]!);
  const origins = new Float64Array(n * ORIGIN.width);
  originTs.forEach((ts, i) => {
    describer.describe(ts, origins, i * ORIGIN.width);
  });
  return { stepHours, originTs, dayLogRates, origins };
}

/** Learns every horizon of the session; setLogRates: the bank's ln rate for the day after each origin of the set. */
export function fitSessions(
  set: TrainingSet,
  setLogRates: Float64Array,
  describer: OriginDescriber,
  counted: SortedTimes,
  exposure: ExposureClock,
  asofTs: number,
): SessionFit[] {
  const list = (stepHours: number, days: number) =>
    listOrigins(describer, set, setLogRates, asofTs, stepHours, days);
  const dense = list(SHORT_STEP_HOURS, SESSION_DAYS);
  const recent = keepNewest(dense, SHORT_DAYS / SESSION_DAYS);
  const sparse = list(LONG_STEP_HOURS, SESSION_DAYS);
  return SESSION_HOURS.map((hours) => {
    const origins = hours <= 3 ? recent : hours < DAY_HOURS ? dense : sparse;
    return fitSession(hours, origins, counted, exposure, asofTs);
  });
}

function keepNewest(origins: SessionOrigins, share: number): SessionOrigins {
  const n = Math.floor(origins.originTs.length * share);
  return {
    stepHours: origins.stepHours,
    originTs: origins.originTs.subarray(0, n),
    dayLogRates: origins.dayLogRates.subarray(0, n),
    origins: origins.origins.subarray(0, n * ORIGIN.width),
  };
}

const HALF_LIFE_DAYS = 120;
const SIZE_PRIOR_AT_DAY = 3.7;

/** Busy spells make longer windows relatively steadier, but slowly. */
function priorSize(hours: number): number {
  return SIZE_PRIOR_AT_DAY * (hours / DAY_HOURS) ** (hours < DAY_HOURS ? 0.78 : 0.35);
}

/** Quiet hours are the more erratic ones: sleep keeps no clock. */
export function quietScale(relativeExposure: number): number {
  return Math.max(0.1, Math.min(3, relativeExposure));
}

function fitSession(
  hours: number,
  set: SessionOrigins,
  counted: SortedTimes,
  exposure: ExposureClock,
  asofTs: number,
): SessionFit {
  const sample = describeSample(hours, set, counted, exposure, asofTs);
  const coefficients = {
    mean: sessionPriorMean(hours),
    sd: hours < DAY_HOURS ? HOURS_PRIOR_SD : DAYS_PRIOR_SD,
  };
  const regression = fitCountRegression(sample, coefficients, { size: priorSize(hours), logSd: 0.5 });
  const hourFactors =
    hours > DAY_HOURS ? new Float64Array(HOUR_BINS).fill(1) : fitHourFactors(sample, regression, set.origins);
  return { hours, regression, hourFactors };
}

/** Base size of the distribution of the plain rate at one horizon. */
export interface SteadyFit {
  hours: number;
  size: number;
}

export const STEADY_HOURS = [1, 3, 6, 12, 24, 48];

/** dayLogRates: the bank's ln rate for the day after each origin of the set. */
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

/** The windows of this length after the origins, as far as they had closed by asofTs. */
function describeSample(
  hours: number,
  { stepHours, originTs, dayLogRates, origins }: SessionOrigins,
  counted: SortedTimes,
  exposure: ExposureClock,
  asofTs: number,
): CountSample {
  const spanMs = hours * HOUR_MS;
  const first = originTs.findIndex((ts) => ts + spanMs <= asofTs);
  const n = first < 0 ? 0 : originTs.length - first;
  const sample: CountSample = {
    features: new Float64Array(n * SESSION_WIDTH),
    width: SESSION_WIDTH,
    counts: new Float64Array(n),
    offsets: new Float64Array(n),
    weights: new Float64Array(n),
    scales: new Float64Array(n),
  };
  const overlap = Math.min(1, stepHours / hours);
  for (let i = 0; i < n; i++) {
    const ts = originTs[first + i]!;
    const at = (first + i) * ORIGIN.width;
    const ahead = Math.max(0.01, exposure.between(ts, ts + spanMs));
    writeSessionFeatures(origins, at, sample.features, i * SESSION_WIDTH);
    sample.counts[i] = counted.countSince(ts, ts + spanMs);
    sample.offsets[i] = Math.log(ahead) + dayLogRates[first + i]!;
    sample.scales[i] = quietScale(ahead / hours);
    sample.weights[i] = overlap * 2 ** ((ts + spanMs - asofTs) / (HALF_LIFE_DAYS * DAY_MS));
  }
  return sample;
}

export const HOUR_BINS = 8;
/** How far the width at one time of day may reasonably lie from the others, on the log scale. */
const HOUR_FACTOR_LOG_SD = 0.4;

/** Dawn and evening differ in more than their mean: one size each, drawn to the common one. */
function fitHourFactors(
  sample: CountSample,
  regression: CountRegression,
  origins: Float64Array,
): Float64Array {
  const n = sample.counts.length;
  const first = origins.length / ORIGIN.width - n;
  const angles = Array.from({ length: n }, (_, i) => origins[(first + i) * ORIGIN.width + ORIGIN.hourAngle]!);
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
