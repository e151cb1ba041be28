// A reference pool member: a negative-binomial regression of the remaining count on six discounted rates and
// the time since the last post, one per horizon and hour of day.

import { fitSize } from '../../src/forecast/distribution/negative-binomial.ts';
import { solveSymmetric } from '../../src/forecast/model/count-regression.ts';

/** Discounted rates at HALF_LIVES_DAYS, preceded by an intercept and followed by the gap. */
export const HALF_LIVES_DAYS = [0.25, 1, 3, 7, 14, 28];
export const FEATURES = HALF_LIVES_DAYS.length + 2;
const PRIOR = [0, 0, 0, 0.2, 0.3, 0.3, 0.2, 0];
const PRIOR_PRECISION = 10;
const STEPS = 8;
const SIZE_PRIOR = { size: 5, logSd: 3 };

/** Past windows of one length: feature rows, exposures, counts and weights. */
export interface PastWindows {
  features: Float64Array;
  exposures: Float64Array;
  counts: Float64Array;
  weights: Float64Array;
}

export interface ReferenceFit {
  beta: Float64Array;
  size: number;
}

export function fitReference(past: PastWindows): ReferenceFit {
  const beta = Float64Array.from(PRIOR);
  let size = SIZE_PRIOR.size;
  for (let step = 0; step < STEPS; step++) {
    if (step === STEPS / 2) size = fitWidth(past, meansOf(past, beta));
    improve(past, beta, size);
  }
  return { beta, size: fitWidth(past, meansOf(past, beta)) };
}

/** Maximum-likelihood size of a negative binomial with these means. */
export function fitWidth({ counts, weights }: PastWindows, means: Float64Array): number {
  return fitSize(counts, means, weights, new Float64Array(counts.length).fill(1), SIZE_PRIOR);
}

/** Means of the regression, or of a single discounted rate if `beta` selects it. */
export function meansOf({ features, exposures }: PastWindows, beta: ArrayLike<number>): Float64Array {
  return exposures.map((exposure, i) => exposure * Math.exp(logRate(features, i * FEATURES, beta)));
}

export function logRate(features: Float64Array, at: number, beta: ArrayLike<number>): number {
  let sum = 0;
  for (let k = 0; k < FEATURES; k++) sum += beta[k]! * features[at + k]!;
  return Math.max(-8, Math.min(8, sum));
}

/** One step of penalised Fisher scoring. */
function improve(past: PastWindows, beta: Float64Array, size: number): void {
  const means = meansOf(past, beta);
  const information = new Float64Array(FEATURES * FEATURES);
  const score = new Float64Array(FEATURES);
  for (let i = 0; i < means.length; i++) {
    const scale = past.weights[i]! / (1 + means[i]! / size);
    for (let a = 0; a < FEATURES; a++) {
      const feature = past.features[i * FEATURES + a]!;
      score[a]! += scale * (past.counts[i]! - means[i]!) * feature;
      for (let b = 0; b < FEATURES; b++) {
        information[a * FEATURES + b]! += scale * means[i]! * feature * past.features[i * FEATURES + b]!;
      }
    }
  }
  for (let a = 0; a < FEATURES; a++) {
    information[a * FEATURES + a]! += PRIOR_PRECISION;
    score[a]! -= PRIOR_PRECISION * (beta[a]! - PRIOR[a]!);
  }
  const step = solveSymmetric(information, score, FEATURES);
  for (let a = 0; a < FEATURES; a++) beta[a]! += Math.max(-1, Math.min(1, step[a]!));
}
