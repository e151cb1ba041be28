// How far each expert is believed, horizon by horizon: prior times the fading likelihood of what came. A window that
// overlaps its neighbours brings only its share of news, so the prior gives way slowly.

import { logNegativeBinomial } from '../distribution/negative-binomial.ts';
import type { ExpertWords } from './expert-words.ts';
import { EXPERT_COUNT } from './experts.ts';

/** Evidence fades with this half-life, so that a changed account is seen with new eyes within weeks. */
export const EVIDENCE_DAYS = 40;
const LEAST_DENSITY = 1e-9;

/** Gauss-Hermite for a standard normal, seven points. */
const NODES = [-3.7504397177, -2.3667594107, -1.1544053947, 0, 1.1544053947, 2.3667594107, 3.7504397177];
const NODE_WEIGHTS = [
  0.000548268856, 0.03075712397, 0.2401231786, 0.457142857143, 0.2401231786, 0.03075712397, 0.000548268856,
];

/** ln probability of a count under a log-normal load with negative-binomial noise. */
export function logDensity(count: number, mean: number, logVariance: number, size: number): number {
  if (logVariance < 1e-9) return Math.max(Math.log(LEAST_DENSITY), logNegativeBinomial(count, mean, size));
  const sd = Math.sqrt(logVariance);
  const middle = Math.log(mean) - logVariance / 2;
  let sum = 0;
  for (let i = 0; i < NODES.length; i++) {
    sum += NODE_WEIGHTS[i]! * Math.exp(logNegativeBinomial(count, Math.exp(middle + sd * NODES[i]!), size));
  }
  return Math.log(Math.max(LEAST_DENSITY, sum));
}

export interface Evidence {
  words: ExpertWords;
  counts: ArrayLike<number>;
  /** How much news each window brings: its share not told by its neighbours, faded by age. */
  news: ArrayLike<number>;
}

/** Weights of the experts, summing to 1. */
export function weighExperts(prior: Float64Array, { words, counts, news }: Evidence): Float64Array {
  const scores = prior.map((share) => Math.log(share));
  for (let row = 0; row < counts.length; row++) {
    for (let k = 0; k < EXPERT_COUNT; k++) {
      const i = row * EXPERT_COUNT + k;
      const said = logDensity(counts[row]!, words.means[i]!, words.logVariances[i]!, words.sizes[i]!);
      scores[k]! += news[row]! * said;
    }
  }
  const top = Math.max(...scores);
  const weights = scores.map((score) => Math.exp(score - top));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
}
