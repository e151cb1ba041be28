// Negative-binomial regression with a log link and a ridge prior: ln mean = ln exposure + offset + x . beta.

import { fitSize } from '../distribution/negative-binomial.ts';

export interface CountSample {
  /** Row-major features with `width` columns per row. */
  features: Float64Array;
  width: number;
  counts: Float64Array;
  /** ln exposure plus a fixed offset, per row. */
  offsets: Float64Array;
  weights: Float64Array;
  /** Row i has size = fitted size * scales[i]. */
  scales: Float64Array;
}

/** Independent normal prior of a coefficient. */
export interface CoefficientPrior {
  mean: ArrayLike<number>;
  sd: ArrayLike<number>;
}

export interface CountRegression {
  beta: Float64Array;
  size: number;
  /** Inverse of the penalised information matrix: the covariance of beta, row-major. */
  covariance: Float64Array;
}

const MAX_ETA_STEP = 1.5;

/** Penalised Fisher scoring to convergence; the size is re-estimated along the way. */
export function fitCountRegression(
  sample: CountSample,
  prior: CoefficientPrior,
  sizePrior: { size: number; logSd: number },
): CountRegression {
  const { width, counts } = sample;
  const beta = Float64Array.from({ length: width }, (_, k) => prior.mean[k]!);
  const means = new Float64Array(counts.length);
  const information = new Float64Array(width * width);
  let size = sizePrior.size;
  for (let round = 0; round < 2; round++) {
    for (let i = 0; i < 3; i++) {
      const moved = scoringStep(sample, beta, means, information, size, prior);
      if (moved < 1e-3) break;
    }
    computeMeans(sample, beta, means);
    size = fitSize(counts, means, sample.weights, sample.scales, sizePrior, size);
  }
  return { beta, size, covariance: invertSymmetric(information, width) };
}

function computeMeans(sample: CountSample, beta: Float64Array, means: Float64Array): void {
  const { features, width, offsets } = sample;
  for (let i = 0; i < means.length; i++) {
    let shift = 0;
    for (let k = 0; k < width; k++) shift += features[i * width + k]! * beta[k]!;
    means[i] = Math.exp(offsets[i]! + Math.max(-3, Math.min(3, shift)));
  }
}

function scoringStep(
  sample: CountSample,
  beta: Float64Array,
  means: Float64Array,
  information: Float64Array,
  size: number,
  prior: CoefficientPrior,
): number {
  const { features, width, counts, weights } = sample;
  computeMeans(sample, beta, means);
  information.fill(0);
  const score = new Float64Array(width);
  for (let i = 0; i < counts.length; i++) {
    const mean = means[i]!;
    const scale = weights[i]! / (1 + mean / (size * sample.scales[i]!));
    const residual = scale * (counts[i]! - mean);
    const load = scale * mean;
    const row = i * width;
    for (let a = 0; a < width; a++) {
      const fa = features[row + a]!;
      if (fa === 0) continue;
      score[a]! += residual * fa;
      const loaded = load * fa;
      for (let b = 0; b <= a; b++) information[a * width + b]! += loaded * features[row + b]!;
    }
  }
  for (let a = 0; a < width; a++) {
    const precision = 1 / prior.sd[a]! ** 2;
    information[a * width + a]! += precision;
    score[a]! -= precision * (beta[a]! - prior.mean[a]!);
    for (let b = 0; b < a; b++) information[b * width + a] = information[a * width + b]!;
  }
  const step = solveSymmetric(information, score, width);
  let largest = 0;
  for (let a = 0; a < width; a++) largest = Math.max(largest, Math.abs(step[a]!));
  const damp = largest > MAX_ETA_STEP ? MAX_ETA_STEP / largest : 1;
  for (let a = 0; a < width; a++) beta[a]! += damp * step[a]!;
  return largest;
}

/** Lower Cholesky factor, row-major. */
function factor(matrix: Float64Array, n: number): Float64Array {
  const lower = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = matrix[i * n + j]!;
      for (let k = 0; k < j; k++) sum -= lower[i * n + k]! * lower[j * n + k]!;
      lower[i * n + j] = i === j ? Math.sqrt(Math.max(sum, 1e-12)) : sum / lower[j * n + j]!;
    }
  }
  return lower;
}

function solveFactored(lower: Float64Array, right: Float64Array, n: number): Float64Array {
  const x = Float64Array.from(right);
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < i; k++) x[i]! -= lower[i * n + k]! * x[k]!;
    x[i]! /= lower[i * n + i]!;
  }
  for (let i = n - 1; i >= 0; i--) {
    for (let k = i + 1; k < n; k++) x[i]! -= lower[k * n + i]! * x[k]!;
    x[i]! /= lower[i * n + i]!;
  }
  return x;
}

export function solveSymmetric(matrix: Float64Array, right: Float64Array, n: number): Float64Array {
  return solveFactored(factor(matrix, n), right, n);
}

export function invertSymmetric(matrix: Float64Array, n: number): Float64Array {
  const lower = factor(matrix, n);
  const inverse = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    const unit = new Float64Array(n);
    unit[i] = 1;
    inverse.set(solveFactored(lower, unit, n), i * n);
  }
  return inverse;
}

/** x' covariance x: variance of the linear predictor. */
export function predictorVariance(covariance: Float64Array, x: ArrayLike<number>, n: number): number {
  let sum = 0;
  for (let a = 0; a < n; a++) {
    for (let b = 0; b < n; b++) sum += covariance[a * n + b]! * x[a]! * x[b]!;
  }
  return sum;
}
