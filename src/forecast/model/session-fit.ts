// Short-term fit (hours to days): a negative-binomial regression around the core's mean on the current
// session and recent rate changes, with a width that depends on the time of day.

import { fitSize } from '../distribution/negative-binomial.ts';
import { ORIGIN } from '../rate/origin-features.ts';
import type { CoreParameters } from './core-state.ts';
import { type CountRegression, fitCountRegression } from './count-regression.ts';
import { type PastSample, type PastSource, priorSize, type SampleRule, samplePast } from './past-windows.ts';
import { SESSION_WIDTH, sessionPrior, writeSessionFeatures } from './session-features.ts';
import type { SharedKnowledge } from './shared-coefficients.ts';
import { comingShape, cutComingBlocks } from './state-path.ts';

export const SESSION_HOURS = [1, 3, 6, 12, 24, 72, 168];

export interface SessionFit {
  hours: number;
  regression: CountRegression;
  /** Correction to the size by local time of day, in three-hour steps. */
  hourFactors: Float64Array;
}

export const SESSION_DAYS = 250;
/** Short windows are plentiful, so less history is enough. */
const SHORT_DAYS = SESSION_DAYS / 2;
const SHORT_HOURS = 6;
const DAY_HOURS = 24;
/** Longer windows overlap; origins nine hours apart still cover every time of day. */
const LONG_STRIDE = 3;

/** Regresses on session features around the core's mean. */
export function sessionRule({ set, exposure }: PastSource, core: CoreParameters): SampleRule {
  return {
    width: SESSION_WIDTH,
    write: writeSessionFeatures,
    offset: (row, fromTs, endTs) => {
      const blocks = cutComingBlocks(exposure, fromTs, fromTs, endTs);
      return Math.log(Math.max(1e-3, comingShape(set.core[row]!, core, blocks).mean));
    },
  };
}

export function fitSessions(source: PastSource, core: CoreParameters, shared: SharedKnowledge): SessionFit[] {
  return SESSION_HOURS.map((hours) => {
    const plan = {
      hours,
      stride: hours <= SHORT_HOURS ? 1 : LONG_STRIDE,
      days: hours <= SHORT_HOURS ? SHORT_DAYS : SESSION_DAYS,
    };
    const sample = samplePast(source, plan, sessionRule(source, core));
    const size = { size: priorSize(hours), logSd: 0.5 };
    const regression = fitCountRegression(sample, sessionPrior(shared, hours), size);
    const hourFactors =
      hours > DAY_HOURS
        ? new Float64Array(HOUR_BINS).fill(1)
        : fitHourFactors(sample, regression, source.set.origins);
    return { hours, regression, hourFactors };
  });
}

export const HOUR_BINS = 8;
/** Prior standard deviation of the width by time of day, on the log scale. */
const HOUR_FACTOR_LOG_SD = 0.4;

/** Times of day differ in more than their mean: each gets its own size, shrunk towards the common size. */
function fitHourFactors(
  sample: PastSample,
  regression: CountRegression,
  origins: Float64Array,
): Float64Array {
  const bins = sample.rows.map((row) => {
    const angle = origins[row * ORIGIN.width + ORIGIN.hourAngle]!;
    return Math.floor((angle / (2 * Math.PI)) * HOUR_BINS) % HOUR_BINS;
  });
  const prior = { size: regression.size, logSd: HOUR_FACTOR_LOG_SD };
  return new Float64Array(HOUR_BINS).map((_, bin) => {
    const kept = bins.flatMap((one, i) => (one === bin ? [i] : []));
    const pick = (values: Float64Array) => kept.map((i) => values[i]!);
    const means = kept.map((i) => meanOf(sample, regression, i));
    const size = fitSize(pick(sample.counts), means, pick(sample.weights), pick(sample.scales), prior);
    return size / regression.size;
  });
}

/** Predicted mean for one row of the sample. */
function meanOf({ offsets, features, width }: PastSample, { beta }: CountRegression, i: number): number {
  let shift = 0;
  for (let k = 0; k < width; k++) shift += features[i * width + k]! * beta[k]!;
  return Math.exp(offsets[i]! + Math.max(-3, Math.min(3, shift)));
}
