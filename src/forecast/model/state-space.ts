// One belief about how an account's rate moves: ln rate per unit of exposure = level + slow AR + fast AR, seen through
// daily counts with a day's own noise. Filtered by a Laplace step per block. Several such beliefs make up the bank.

import { findMode } from './core-state.ts';

/** How a day departs from its rate: a gamma factor of this size, a log-normal one, or one whose days may be bursts. */
export type DayNoise =
  | { kind: 'gamma'; size: number }
  | { kind: 'plain'; daySd: number }
  | { kind: 'burst'; daySd: number };

/** Times in days, standard deviations on the log scale. */
export interface StateSpaceParameters {
  fastDays: number;
  fastSd: number;
  slowDays: number;
  slowSd: number;
  /** Daily step of the level: an account's long-run rate is not for ever. */
  levelStepSd: number;
  noise: DayNoise;
}

/** Mean and covariance of (fast, slow, level); covariance as its upper triangle 00 01 02 11 12 22. */
export interface RateState {
  mean: [number, number, number];
  cov: [number, number, number, number, number, number];
}

/** One day in ten is unlike the others: its noise has this many times the standard deviation. */
export const BURST = { chance: 0.1, sdFactor: 3 };

/** A block of which less than this was seen, in hours of mean activity, says nothing. */
const LEAST_EXPOSURE = 0.25;

/** Before any data: both AR parts stationary, the level known to a factor of about 2. */
export function initialState(parameters: StateSpaceParameters, logLevel: number, levelSd = 0.7): RateState {
  return {
    mean: [0, 0, logLevel],
    cov: [parameters.fastSd ** 2, 0, 0, parameters.slowSd ** 2, 0, levelSd ** 2],
  };
}

/** What one block's count says of the log rate: where the mode moves, and how far the doubt shrinks. */
interface Lesson {
  step: number;
  shrink: number;
  logLikelihood: number;
}

/** Called after each block with the filtered state (do not keep it). */
export type FilterObserver = (block: number, state: RateState) => void;

/** Runs the filter over consecutive 24-hour blocks. The state returned stands at the end of the last block. */
export function filterBlocks(
  counts: ArrayLike<number>,
  exposures: ArrayLike<number>,
  parameters: StateSpaceParameters,
  start: RateState,
  observe?: FilterObserver,
): RateState {
  const f1 = Math.exp(-1 / parameters.fastDays);
  const f2 = Math.exp(-1 / parameters.slowDays);
  const q1 = parameters.fastSd ** 2 * (1 - f1 * f1);
  const q2 = parameters.slowSd ** 2 * (1 - f2 * f2);
  const q3 = parameters.levelStepSd ** 2;
  const state: RateState = { mean: [...start.mean], cov: [...start.cov] };
  const { mean, cov } = state;
  const lesson: Lesson = { step: 0, shrink: 0, logLikelihood: 0 };
  for (let d = 0; d < counts.length; d++) {
    mean[0] *= f1;
    mean[1] *= f2;
    cov[0] = f1 * f1 * cov[0] + q1;
    cov[1] *= f1 * f2;
    cov[2] *= f1;
    cov[3] = f2 * f2 * cov[3] + q2;
    cov[4] *= f2;
    cov[5] += q3;
    // Time that nobody watched moves the state on and teaches it nothing.
    if (exposures[d]! >= LEAST_EXPOSURE) absorb(state, counts[d]!, exposures[d]!, parameters.noise, lesson);
    observe?.(d, state);
  }
  return state;
}

function absorb({ mean, cov }: RateState, count: number, exposure: number, noise: DayNoise, lesson: Lesson) {
  const s1 = cov[0] + cov[1] + cov[2];
  const s2 = cov[1] + cov[3] + cov[4];
  const s3 = cov[2] + cov[4] + cov[5];
  const predicted = mean[0] + mean[1] + mean[2];
  const variance = s1 + s2 + s3;
  if (noise.kind === 'gamma') learnGamma(count, exposure, predicted, variance, noise.size, lesson);
  else if (noise.kind === 'plain')
    learnPoisson(count, exposure, predicted, variance + noise.daySd ** 2, lesson);
  else learnBurst(count, exposure, predicted, variance, noise.daySd, lesson);
  const { step, shrink } = lesson;
  mean[0] += s1 * step;
  mean[1] += s2 * step;
  mean[2] += s3 * step;
  cov[0] -= s1 * s1 * shrink;
  cov[1] -= s1 * s2 * shrink;
  cov[2] -= s1 * s3 * shrink;
  cov[3] -= s2 * s2 * shrink;
  cov[4] -= s2 * s3 * shrink;
  cov[5] -= s3 * s3 * shrink;
}

const ordinary: Lesson = { step: 0, shrink: 0, logLikelihood: 0 };
const burst: Lesson = { step: 0, shrink: 0, logLikelihood: 0 };

/** Ordinary day or burst: both are tried, and the state keeps the mean and the doubt of the mixture. */
function learnBurst(
  count: number,
  exposure: number,
  predicted: number,
  variance: number,
  daySd: number,
  out: Lesson,
): void {
  learnPoisson(count, exposure, predicted, variance + daySd ** 2, ordinary);
  learnPoisson(count, exposure, predicted, variance + (BURST.sdFactor * daySd) ** 2, burst);
  const odds = (BURST.chance / (1 - BURST.chance)) * Math.exp(burst.logLikelihood - ordinary.logLikelihood);
  const share = Number.isFinite(odds) ? odds / (1 + odds) : 1;
  out.step = (1 - share) * ordinary.step + share * burst.step;
  out.shrink =
    (1 - share) * ordinary.shrink +
    share * burst.shrink -
    share * (1 - share) * (ordinary.step - burst.step) ** 2;
}

function learnPoisson(
  count: number,
  exposure: number,
  predicted: number,
  variance: number,
  out: Lesson,
): void {
  const mode = findMode(count, exposure, predicted, variance);
  const load = exposure * Math.exp(mode);
  const posterior = 1 / (load + 1 / variance);
  out.step = (mode - predicted) / variance;
  out.shrink = (1 - posterior / variance) / variance;
  out.logLikelihood =
    count * mode - load - (0.5 * (mode - predicted) ** 2) / variance - 0.5 * Math.log(variance / posterior);
}

/** A negative-binomial count: the mode of NB(count | exposure e^eta, size) x N(eta | predicted, variance). */
function learnGamma(
  count: number,
  exposure: number,
  predicted: number,
  variance: number,
  size: number,
  out: Lesson,
): void {
  const precision = 1 / variance;
  let eta = predicted;
  let information = 0;
  for (let i = 0; i < 40; i++) {
    const load = exposure * Math.exp(eta);
    const share = load / (size + load);
    information = (count + size) * share * (1 - share);
    const raw = (count - (count + size) * share - (eta - predicted) * precision) / (information + precision);
    const step = Math.max(-1, Math.min(1, raw));
    eta += step;
    if (step < 1e-5 && step > -1e-5) break;
  }
  const posterior = 1 / (information + precision);
  out.step = (eta - predicted) * precision;
  out.shrink = (1 - posterior * precision) * precision;
}
