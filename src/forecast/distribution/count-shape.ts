// The shape of a pool member's forecast: a count with a log-normal mean and negative-binomial noise.

import type { CountDistribution } from '../types.ts';
import { certainDistribution, trimDistribution } from './distribution.ts';
import {
  addNegativeBinomial,
  addNegativeBinomials,
  farQuantile,
  logNegativeBinomial,
} from './negative-binomial.ts';

export interface CountShape {
  mean: number;
  /** Variance of the log of the mean. */
  logVariance: number;
  size: number;
}

export interface Moments {
  mean: number;
  variance: number;
}

/** Grid spacing for the log of the mean, in standard deviations. */
const GRID_STEP = 0.5;
const GRID_REACH = 8;
const GRID = Float64Array.from({ length: 2 * GRID_REACH + 1 }, (_, i) => (i - GRID_REACH) * GRID_STEP);
const GRID_WEIGHTS = GRID.map((z) => (GRID_STEP * Math.exp(-0.5 * z * z)) / Math.sqrt(2 * Math.PI));
const gridMeans = new Float64Array(GRID.length);

/** Uncertainty about the width: half the mass at the fitted size, a quarter each at 0.62 and 1.6 times it. */
const SIZE_DOUBT: readonly [number, number][] = [
  [0.62, 0.25],
  [1, 0.5],
  [1.6, 0.25],
];

export function shapeDistribution({ mean, logVariance, size }: CountShape): CountDistribution {
  if (mean <= 0) return certainDistribution(0);
  const sd = Math.sqrt(logVariance);
  const pmf = new Float64Array(farQuantile(mean * Math.exp(GRID_STEP * GRID_REACH * sd), 0.62 * size) + 1);
  if (logVariance < 1e-9) {
    for (const [factor, weight] of SIZE_DOUBT) addNegativeBinomial(pmf, mean, size * factor, weight);
  } else {
    const middle = Math.log(mean) - logVariance / 2;
    for (let i = 0; i < GRID.length; i++) gridMeans[i] = Math.exp(middle + sd * GRID[i]!);
    addNegativeBinomials(pmf, gridMeans, size, GRID_WEIGHTS);
  }
  return trimDistribution(0, pmf);
}

/** Seven-point Gauss-Hermite nodes for a standard normal. */
const NODES = [-3.7504397177, -2.3667594107, -1.1544053947, 0, 1.1544053947, 2.3667594107, 3.7504397177];
const NODE_WEIGHTS = [
  0.000548268856, 0.03075712397, 0.2401231786, 0.457142857143, 0.2401231786, 0.03075712397, 0.000548268856,
];

export function shapeProbability(count: number, { mean, logVariance, size }: CountShape): number {
  if (logVariance < 1e-9) return Math.exp(logNegativeBinomial(count, mean, size));
  const sd = Math.sqrt(logVariance);
  const middle = Math.log(mean) - logVariance / 2;
  let sum = 0;
  for (let i = 0; i < NODES.length; i++) {
    sum += NODE_WEIGHTS[i]! * Math.exp(logNegativeBinomial(count, Math.exp(middle + sd * NODES[i]!), size));
  }
  return sum;
}

/** Mean and variance of a mixture of shapes. */
export function mixtureMoments(shapes: readonly CountShape[], weights: ArrayLike<number>): Moments {
  let mean = 0;
  let square = 0;
  shapes.forEach((shape, k) => {
    const load = shape.mean ** 2 * Math.exp(shape.logVariance);
    mean += weights[k]! * shape.mean;
    square += weights[k]! * (load * (1 + 1 / shape.size) + shape.mean);
  });
  return { mean, variance: square - mean * mean };
}
