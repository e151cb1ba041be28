// What a state says of the coming count: exact mean and variance, as a log-normal mean with counting noise.

import type { CountShape } from '../distribution/count-shape.ts';
import { type CoreParameters, type CoreState, exactMoments } from './core-state.ts';

/** Size of the counting noise of a state: posts within a day clump a little more than Poisson. */
export const COUNTING_SIZE = 80;

/** The coming 24-hour blocks of a window: exposure of each, and which part of a day it is. */
export interface ComingBlocks {
  exposures: Float64Array;
  shares: Float64Array;
}

export function comingShape(
  state: CoreState,
  parameters: CoreParameters,
  { exposures, shares }: ComingBlocks,
): CountShape {
  // Noise of a part of a day is larger, but grows slowly because its hours move together.
  const noiseSds = shares.map((share) => parameters.daySd * share ** -0.25);
  const { mean, variance } = exactMoments(state, parameters, exposures, noiseSds);
  const logVariance = mean > 0 ? Math.log1p((variance - mean) / mean ** 2) : 0;
  return { mean, logVariance, size: COUNTING_SIZE };
}
