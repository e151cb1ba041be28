// Blended probability used for stakes: the market's probability, moved towards the model's as far as settled
// buckets justify, with its standard deviation. `model_prob` is the model's alone (Benter 1994 explains why a
// bet needs both).

import type { EdgeEvidence } from '../../domain/edge-evidence.ts';
import { devigPrices } from '../pricing/devig.ts';
import { describeGap } from './gap-features.ts';

export interface Blend {
  /** Sums to 1 over the ladder; 0 for a bucket that the model rules out. */
  probabilities: number[];
  /** Standard deviation of each probability, from the uncertainty of the evidence. */
  sds: number[];
}

const LEAST_MARKET = 1e-4;

/** The market's view of the whole ladder. Unpriced buckets share the remainder in the model's proportions. */
export function readMarket(model: readonly number[], prices: readonly (number | null)[]): number[] | null {
  if (prices.every((price) => price !== null)) return devigPrices(prices);
  const known = prices.reduce((sum: number, price) => sum + (price ?? 0), 0);
  if (known <= 0) return null;
  const unpriced = model.reduce((sum, p, i) => sum + (prices[i] === null ? p : 0), 0);
  const rest = Math.max(LEAST_MARKET, 1 - known);
  const raw = prices.map(
    (price, i) => price ?? (unpriced > 0 ? (rest * model[i]!) / unpriced : LEAST_MARKET),
  );
  const total = raw.reduce((sum, p) => sum + p, 0);
  return raw.map((p) => p / total);
}

/** Without prices only the model is left, with unknown error, so no bound can exceed a cost. */
export function blendLadder(
  evidence: EdgeEvidence,
  model: readonly number[],
  prices: readonly (number | null)[],
  leadHours: number,
): Blend {
  const market = readMarket(model, prices);
  if (!market) return { probabilities: [...model], sds: model.map(() => 1) };
  const features = model.map((p, i) => describeGap(p, market[i]!, leadHours));
  const probabilities = tilt(model, market, features, evidence.mean);
  const centre = averageFeatures(probabilities, features);
  const sds = probabilities.map((q, i) => {
    const offset = features[i]!.map((feature, k) => feature - centre[k]!);
    return q * Math.sqrt(Math.max(0, quadraticForm(evidence.covariance, offset)));
  });
  return { probabilities, sds };
}

/** q proportional to market * exp(weights . features). */
export function tilt(
  model: readonly number[],
  market: readonly number[],
  features: readonly (readonly number[])[],
  weights: readonly number[],
): number[] {
  const raw = market.map((m, i) => (model[i]! > 0 ? m * Math.exp(dot(weights, features[i]!)) : 0));
  const total = raw.reduce((sum, q) => sum + q, 0);
  return total > 0 ? raw.map((q) => q / total) : [...model];
}

export function averageFeatures(
  probabilities: readonly number[],
  features: readonly (readonly number[])[],
): number[] {
  const width = features[0]?.length ?? 0;
  return Array.from({ length: width }, (_, k) =>
    probabilities.reduce((sum, q, i) => sum + q * features[i]![k]!, 0),
  );
}

function dot(left: readonly number[], right: readonly number[]): number {
  return left.reduce((sum, value, k) => sum + value * right[k]!, 0);
}

function quadraticForm(matrix: readonly (readonly number[])[], vector: readonly number[]): number {
  return dot(
    vector,
    matrix.map((row) => dot(row, vector)),
  );
}
