// The core model without fitting: the same two-scale state, but with parameters shared by all accounts and
// variances that ignore surprises.

import { type CoreParameters, type CoreState, findMode, initialCore } from './core-state.ts';
import { type BlockSeries, meanLogRate } from './state-path.ts';

export const FIXED_PARAMETERS: CoreParameters = {
  fastDays: 1.8,
  fastSd: 0.28,
  slowDays: 40,
  slowSd: 0.5,
  daySd: 0.3,
  levelStepSd: 0,
  unrest: 0,
};

/** Kalman filter with a Laplace step per block; `observe` gets the state after each (copy it to keep it). */
export function filterFixed(
  blocks: BlockSeries,
  observe?: (block: number, state: CoreState) => void,
): CoreState {
  const { fastDays, slowDays, fastSd, slowSd } = FIXED_PARAMETERS;
  const f1 = Math.exp(-1 / fastDays);
  const f2 = Math.exp(-1 / slowDays);
  const q1 = fastSd ** 2 * (1 - f1 * f1);
  const q2 = slowSd ** 2 * (1 - f2 * f2);
  const state = initialCore(FIXED_PARAMETERS, meanLogRate(blocks));
  const { mean, cov } = state;
  for (let d = 0; d < blocks.counts.length; d++) {
    mean[0] *= f1;
    mean[1] *= f2;
    cov[0] = f1 * f1 * cov[0] + q1;
    cov[1] *= f1 * f2;
    cov[2] *= f1;
    cov[3] = f2 * f2 * cov[3] + q2;
    cov[4] *= f2;
    absorb(state, blocks.counts[d]!, blocks.exposures[d]!);
    observe?.(d, state);
  }
  return state;
}

function absorb({ mean, cov }: CoreState, count: number, exposure: number): void {
  const s1 = cov[0] + cov[1] + cov[2];
  const s2 = cov[1] + cov[3] + cov[4];
  const s3 = cov[2] + cov[4] + cov[5];
  const predicted = mean[0] + mean[1] + mean[2];
  const variance = s1 + s2 + s3 + FIXED_PARAMETERS.daySd ** 2;
  const mode = findMode(count, exposure, predicted, variance);
  const posterior = 1 / (exposure * Math.exp(mode) + 1 / variance);
  const step = (mode - predicted) / variance;
  const shrink = (1 - posterior / variance) / variance;
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
