// Remaining count given a state: exact mean and variance, represented as a log-normal mean with counting
// noise.

import type { CountShape } from '../distribution/count-shape.ts';
import { type CoreParameters, type CoreState, exactMoments } from './core-state.ts';

/** Size of the counting noise given a state: posts within a day cluster slightly more than Poisson. */
export const COUNTING_SIZE = 80;

/** Remaining 24-hour blocks of a window: the exposure of each, and its fraction of a full day. */
export interface ComingBlocks {
  exposures: Float64Array;
  shares: Float64Array;
}

export function comingShape(
  state: CoreState,
  parameters: CoreParameters,
  { exposures, shares }: ComingBlocks,
): CountShape {
  // Part of a day is noisier than a full day, but only slightly, because its hours are correlated.
  const noiseSds = shares.map((share) => parameters.daySd * share ** -0.25);
  const { mean, variance } = exactMoments(state, parameters, exposures, noiseSds);
  const logVariance = mean > 0 ? Math.log1p((variance - mean) / mean ** 2) : 0;
  return { mean, logVariance, size: COUNTING_SIZE };
}
