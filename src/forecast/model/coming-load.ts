// What a state says of the coming total: its exact mean and variance, summed up as a log-normal load under a
// negative-binomial count. Nothing is drawn, so the same state gives the same distribution to the last digit.

import { BURST, type RateState, type StateSpaceParameters } from './state-space.ts';

/** Size of the counting kernel of a log-normal day: posts within a day clump a little more than Poisson. */
export const KERNEL_SIZE = 80;

/** The coming 24-hour blocks of a window: exposure of each, and which part of a day it is. */
export interface ComingBlocks {
  exposures: Float64Array;
  shares: Float64Array;
}

/** A count whose mean is log-normal, with negative-binomial noise of this size around it. */
export interface LoadDistribution {
  mean: number;
  /** Variance of the load's logarithm. */
  logVariance: number;
  size: number;
}

const MAX_BLOCKS = 64;
const means = new Float64Array(MAX_BLOCKS);
/** Covariance of one block's log rate with the fast, slow and level part, three numbers a block. */
const reach = new Float64Array(3 * MAX_BLOCKS);

export interface LoadMoments {
  mean: number;
  variance: number;
  /** Sum over blocks of E[(block's load)^2] / size, of the gamma noise. */
  gammaVariance: number;
}

/** Exact mean and variance of the load, a day's noise having noiseVariance on the log scale. */
export function loadMoments(
  state: RateState,
  parameters: StateSpaceParameters,
  { exposures, shares }: ComingBlocks,
  noiseVariance: number,
): LoadMoments {
  const f1 = Math.exp(-1 / parameters.fastDays);
  const f2 = Math.exp(-1 / parameters.slowDays);
  const q1 = parameters.fastSd ** 2 * (1 - f1 * f1);
  const q2 = parameters.slowSd ** 2 * (1 - f2 * f2);
  const size = parameters.noise.kind === 'gamma' ? parameters.noise.size : Number.POSITIVE_INFINITY;
  let [x1, x2] = state.mean;
  let [p11, p12, p13, p22, p23, p33] = state.cov;
  const out: LoadMoments = { mean: 0, variance: 0, gammaVariance: 0 };
  const n = Math.min(MAX_BLOCKS, exposures.length);
  for (let d = 0; d < n; d++) {
    x1 *= f1;
    x2 *= f2;
    p11 = f1 * f1 * p11 + q1;
    p12 *= f1 * f2;
    p13 *= f1;
    p22 = f2 * f2 * p22 + q2;
    p23 *= f2;
    p33 += parameters.levelStepSd ** 2;
    const c1 = p11 + p12 + p13;
    const c2 = p12 + p22 + p23;
    const c3 = p13 + p23 + p33;
    // Noise of a part of a day is larger, but grows slowly because its hours move together.
    const rough = shares[d]! ** -0.5;
    const own = c1 + c2 + c3 + noiseVariance * rough;
    const mean = exposures[d]! * Math.exp(x1 + x2 + state.mean[2] + own / 2);
    means[d] = mean;
    reach[3 * d] = c1;
    reach[3 * d + 1] = c2;
    reach[3 * d + 2] = c3;
    out.mean += mean;
    out.variance += mean * mean * Math.expm1(own);
    out.gammaVariance += (mean * mean * Math.exp(own) * rough) / size;
  }
  out.variance += 2 * sumCrossed(n, f1, f2);
  return out;
}

/** Covariances between different days: what the state carries from one to the other. */
function sumCrossed(n: number, f1: number, f2: number): number {
  let sum = 0;
  for (let d = 0; d < n; d++) {
    let c1 = reach[3 * d]!;
    let c2 = reach[3 * d + 1]!;
    for (let later = d + 1; later < n; later++) {
      c1 *= f1;
      c2 *= f2;
      sum += means[d]! * means[later]! * Math.expm1(c1 + c2 + reach[3 * d + 2]!);
    }
  }
  return sum;
}

export function comingLoad(
  state: RateState,
  parameters: StateSpaceParameters,
  blocks: ComingBlocks,
): LoadDistribution {
  const { noise } = parameters;
  if (noise.kind === 'gamma') {
    const { mean, variance, gammaVariance } = loadMoments(state, parameters, blocks, 0);
    if (mean <= 0) return { mean: 0, logVariance: 0, size: noise.size };
    return {
      mean,
      logVariance: Math.log1p(variance / mean ** 2),
      size: (mean ** 2 + variance) / gammaVariance,
    };
  }
  if (noise.kind === 'burst') return burstLoad(state, parameters, blocks, noise.daySd);
  const { mean, variance } = loadMoments(state, parameters, blocks, noise.daySd ** 2);
  return { mean, logVariance: mean > 0 ? Math.log1p(variance / mean ** 2) : 0, size: KERNEL_SIZE };
}

/** Either all coming days are ordinary, or some are bursts; one log-normal with the mixture's mean and variance. */
function burstLoad(
  state: RateState,
  parameters: StateSpaceParameters,
  blocks: ComingBlocks,
  daySd: number,
): LoadDistribution {
  const n = Math.max(1, blocks.exposures.length);
  const some = 1 - (1 - BURST.chance) ** n;
  const bursts = BURST.chance / some;
  const calm = loadMoments(state, parameters, blocks, daySd ** 2);
  if (calm.mean <= 0) return { mean: 0, logVariance: 0, size: KERNEL_SIZE };
  const wild = loadMoments(state, parameters, blocks, daySd ** 2 * (1 + bursts * (BURST.sdFactor ** 2 - 1)));
  const mean = (1 - some) * calm.mean + some * wild.mean;
  const square = (1 - some) * (calm.mean ** 2 + calm.variance) + some * (wild.mean ** 2 + wild.variance);
  return { mean, logVariance: Math.log(square / mean ** 2), size: KERNEL_SIZE };
}
