// The core model, fitted to the account. Log rate per unit of exposure = level + slow AR + fast AR + day
// noise, observed through daily counts (a log-Gaussian Cox process in 24-hour blocks) and filtered with one
// Laplace step per block.

import { quickExp } from '../numeric/special-functions.ts';

/** Times in days, standard deviations on the log scale. */
export interface CoreParameters {
  fastDays: number;
  fastSd: number;
  slowDays: number;
  slowSd: number;
  daySd: number;
  /** Daily step of the level, because an account's long-run rate drifts. */
  levelStepSd: number;
  /** How much more volatile the rate is below its level: change in ln sd per change in ln rate. */
  unrest: number;
}

/** Mean and covariance of (fast, slow, level); covariance as its upper triangle 00 01 02 11 12 22. */
export interface CoreState {
  mean: [number, number, number];
  cov: [number, number, number, number, number, number];
  /** Recent volatility relative to the fit, as a variance factor; 1 means as fitted. */
  spread: number;
}

/** How fast the spread reacts to surprises and decays; a single day counts for at most `cap`. */
export const SPREAD = { gain: 0.1, revert: 0.02, cap: 4, least: 0.4, most: 8 };

/** Mean of min(z^2, 4) for a standard normal z; keeps the spread of an account as volatile as fitted. */
const EXPECTED_SURPRISE = 0.9205;

export function nextSpread(spread: number, innovation: number): number {
  const surprise = Math.min(SPREAD.cap, innovation * innovation) / EXPECTED_SURPRISE;
  const next = spread * (1 + SPREAD.gain * (surprise - 1)) + SPREAD.revert * (1 - spread);
  return Math.max(SPREAD.least, Math.min(SPREAD.most, next));
}

/** Jump guard: repeated surprises on one side show that the level has moved. */
export const JUMP_GUARD = { gain: 0.25, cap: 3, threshold: 0.8, variance: 0.6 };

/** Running mean of the innovations; for a standard normal its standard deviation is 0.38. */
export function nextRun(run: number, innovation: number): number {
  const surprise = Math.max(-JUMP_GUARD.cap, Math.min(JUMP_GUARD.cap, innovation));
  return run + JUMP_GUARD.gain * (surprise - run);
}

/** Variance added to the level so that the next days can move it. */
export function jumpVariance(run: number): number {
  return JUMP_GUARD.variance * Math.max(0, Math.abs(run) - JUMP_GUARD.threshold);
}

/** Effect of the spread on forecast width. The spread lags regime changes, so large values are amplified. */
export function widthFactor(spread: number): number {
  return spread > 1 ? spread ** WIDTH_POWER : spread;
}

const WIDTH_POWER = 1.25;

/** Variance factor this many days ahead: the spread reverts to 1. */
export function spreadAhead(spread: number, days: number): number {
  return widthFactor(1 + (spread - 1) * (1 - SPREAD.revert) ** days);
}

/** Beyond this distance from the level, on the log scale, `unrest` has no further effect. */
const UNREST_REACH = 1.5;

/** Log factor on the standard deviation at this distance from the level: larger below it, capped. */
export function unrestAt(unrest: number, deviation: number): number {
  return -unrest * Math.max(-UNREST_REACH, Math.min(UNREST_REACH, deviation));
}

export const PRIOR_PARAMETERS: CoreParameters = {
  fastDays: 1.8,
  fastSd: 0.28,
  slowDays: 40,
  slowSd: 0.5,
  daySd: 0.3,
  levelStepSd: 0.015,
  unrest: 0.25,
};

/** The state before any data: both AR parts stationary, the level known to within a factor of about 2. */
export function initialCore(parameters: CoreParameters, logLevel: number, levelSd = 0.7): CoreState {
  return {
    mean: [0, 0, logLevel],
    cov: [parameters.fastSd ** 2, 0, 0, parameters.slowSd ** 2, 0, levelSd ** 2],
    spread: 1,
  };
}

export interface FilterResult {
  state: CoreState;
  logLikelihood: number;
}

/** Called after each block with its standardised innovation and the filtered state (copy it to keep it). */
export type FilterObserver = (block: number, innovation: number, state: CoreState) => void;

/** Runs the filter over consecutive 24-hour blocks and returns the state at the end of the last one. */
export function filterCore(
  counts: ArrayLike<number>,
  exposures: ArrayLike<number>,
  parameters: CoreParameters,
  start: CoreState,
  observe?: FilterObserver,
): FilterResult {
  const f1 = Math.exp(-1 / parameters.fastDays);
  const f2 = Math.exp(-1 / parameters.slowDays);
  const q1 = parameters.fastSd ** 2 * (1 - f1 * f1);
  const q2 = parameters.slowSd ** 2 * (1 - f2 * f2);
  const noise = parameters.daySd ** 2;
  let [x1, x2, x3] = start.mean;
  let [p11, p12, p13, p22, p23, p33] = start.cov;
  const q3 = parameters.levelStepSd ** 2;
  let spread = start.spread;
  let logLikelihood = 0;
  let run = 0;
  for (let d = 0; d < counts.length; d++) {
    const moving = spread * quickExp(2 * unrestAt(parameters.unrest, x1 + x2));
    x1 *= f1;
    x2 *= f2;
    p11 = f1 * f1 * p11 + q1 * moving;
    p12 *= f1 * f2;
    p13 *= f1;
    p22 = f2 * f2 * p22 + q2 * moving;
    p23 *= f2;
    p33 += q3 + jumpVariance(run);
    const s1 = p11 + p12 + p13;
    const s2 = p12 + p22 + p23;
    const s3 = p13 + p23 + p33;
    const predicted = x1 + x2 + x3;
    const variance = s1 + s2 + s3 + noise * moving;
    const count = counts[d]!;
    const exposure = exposures[d]!;
    const mode = findMode(count, exposure, predicted, variance);
    const load = exposure * Math.exp(mode);
    const posterior = 1 / (load + 1 / variance);
    const step = (mode - predicted) / variance;
    const shrink = (1 - posterior / variance) / variance;
    x1 += s1 * step;
    x2 += s2 * step;
    x3 += s3 * step;
    p11 -= s1 * s1 * shrink;
    p12 -= s1 * s2 * shrink;
    p13 -= s1 * s3 * shrink;
    p22 -= s2 * s2 * shrink;
    p23 -= s2 * s3 * shrink;
    p33 -= s3 * s3 * shrink;
    logLikelihood +=
      count * mode - load - (0.5 * (mode - predicted) ** 2) / variance - 0.5 * Math.log(variance / posterior);
    // Laplace residual: how far the mode moved, relative to sqrt(prior variance - posterior variance).
    const innovation = (mode - predicted) / Math.sqrt(Math.max(1e-9, variance - posterior));
    spread = nextSpread(spread, innovation);
    run = nextRun(run, innovation);
    observe?.(d, innovation, { mean: [x1, x2, x3], cov: [p11, p12, p13, p22, p23, p33], spread });
  }
  return { state: { mean: [x1, x2, x3], cov: [p11, p12, p13, p22, p23, p33], spread }, logLikelihood };
}

/**
 * Mode of Poisson(count | exposure e^eta) x N(eta | predicted, variance). Newton from the right of the mode
 * descends monotonically; four steps are not enough on a burst day.
 */
export function findMode(count: number, exposure: number, predicted: number, variance: number): number {
  let eta = Math.max(predicted, Math.log(Math.max(count, 1e-9) / exposure));
  const precision = 1 / variance;
  for (let i = 0; i < 60; i++) {
    const load = exposure * Math.exp(eta);
    const step = (count - load - (eta - predicted) * precision) / (load + precision);
    eta += step;
    // Newton converges quadratically, so after a step this small the error is far below 1e-9.
    if (step < 1e-5 && step > -1e-5) break;
  }
  return eta;
}

/** Means and covariance of future blocks' log rates (day noise on the diagonal), widened by the spread. */
export function predictBlocks(
  state: CoreState,
  parameters: CoreParameters,
  noiseSds: ArrayLike<number>,
): { means: Float64Array; covariance: Float64Array[] } {
  const n = noiseSds.length;
  const f1 = Math.exp(-1 / parameters.fastDays);
  const f2 = Math.exp(-1 / parameters.slowDays);
  const q1 = parameters.fastSd ** 2 * (1 - f1 * f1);
  const q2 = parameters.slowSd ** 2 * (1 - f2 * f2);
  const means = new Float64Array(n);
  const covariance = Array.from({ length: n }, () => new Float64Array(n));
  let [x1, x2] = state.mean;
  let [p11, p12, p13, p22, p23, p33] = state.cov;
  for (let d = 0; d < n; d++) {
    x1 *= f1;
    x2 *= f2;
    const spread = spreadAhead(state.spread, d);
    p11 = f1 * f1 * p11 + q1 * spread;
    p12 *= f1 * f2;
    p13 *= f1;
    p22 = f2 * f2 * p22 + q2 * spread;
    p23 *= f2;
    p33 += parameters.levelStepSd ** 2;
    means[d] = x1 + x2 + state.mean[2];
    let c1 = p11 + p12 + p13;
    let c2 = p12 + p22 + p23;
    const c3 = p13 + p23 + p33;
    covariance[d]![d] = c1 + c2 + c3 + noiseSds[d]! ** 2 * spread;
    for (let later = d + 1; later < n; later++) {
      c1 *= f1;
      c2 *= f2;
      covariance[d]![later] = covariance[later]![d] = c1 + c2 + c3;
    }
  }
  return { means, covariance };
}

/** Exact mean and variance of the remaining total: log-normal moments plus Poisson noise. */
export function exactMoments(
  state: CoreState,
  parameters: CoreParameters,
  exposures: ArrayLike<number>,
  noiseSds: ArrayLike<number>,
): { mean: number; variance: number } {
  const { means, covariance } = predictBlocks(state, parameters, noiseSds);
  const blocks = Array.from(means, (m, d) => exposures[d]! * Math.exp(m + covariance[d]![d]! / 2));
  const mean = blocks.reduce((sum, value) => sum + value, 0);
  let variance = mean;
  for (let d = 0; d < blocks.length; d++) {
    for (let e = 0; e < blocks.length; e++) {
      variance += blocks[d]! * blocks[e]! * Math.expm1(covariance[d]![e]!);
    }
  }
  return { mean, variance };
}
