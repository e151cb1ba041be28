// Blended probability used for stakes: the market's probability, moved towards the model's as far as settled
// buckets justify, with its standard deviation. `model_prob` is the model's alone (Benter 1994 explains why a
// bet needs both).

import type { EdgeEvidence } from '../../domain/standing-advice.ts';

export interface Blend {
  /** Sums to 1 over the ladder; 0 for a bucket that the model rules out. */
  probabilities: number[];
  /** Standard deviation of each probability, from the uncertainty of the evidence. */
  sds: number[];
}

/** Typical sum of a full ladder's midpoints. */
export const USUAL_SUM = 1.02;
export const MIN_REST = 1e-3;

/**
 * The market's view of the whole ladder. Buckets without a price share what the others leave, in the model's
 * proportions; those that the model rules out get nothing.
 */
export function readMarket(model: readonly number[], prices: readonly (number | null)[]): number[] | null {
  if (prices.every((price) => price !== null)) return devigPrices(prices);
  const priced = prices.filter((price) => price !== null);
  const known = priced.reduce((sum, price) => sum + price, 0);
  const unpriced = model.reduce((sum, p, i) => sum + (prices[i] === null ? p : 0), 0);
  if (known <= 0) return null;
  const rest = unpriced > 0 ? [Math.max(MIN_REST, 1 - known / USUAL_SUM)] : [];
  const market = devigPrices([...priced, ...rest]);
  if (!market) return null;
  let next = 0;
  return prices.map((price, i) =>
    price === null ? ((market[priced.length] ?? 0) * model[i]!) / (unpriced || 1) : market[next++]!,
  );
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

// The gap between model and market on one bucket, as features weighted by the evidence. The weight is how
// much of the gap to use: 0 is the market alone, 1 the model alone.

/** In nats; larger gaps add no information. */
const FARTHEST = 1.5;
const MIN_PROBABILITY = 1e-4;
const MIDDLE_LEAD_H = 72;
const LEAD_SCALE_H = 96;
const BAND_SCALE = 4;

/** In this order: model above, model below, longer lead, larger gap, price band. */
export const FEATURE_COUNT = 5;

export function describeGap(model: number, market: number, leadHours: number): number[] {
  const log = (p: number) => Math.log(Math.max(MIN_PROBABILITY, p));
  const gap = Math.min(FARTHEST, Math.max(-FARTHEST, log(model) - log(market)));
  const lead = Math.min(1, Math.max(-0.75, (leadHours - MIDDLE_LEAD_H) / LEAD_SCALE_H));
  return [
    Math.max(gap, 0),
    Math.min(gap, 0),
    gap * lead,
    (gap * Math.abs(gap)) / FARTHEST,
    log(market) / BAND_SCALE,
  ];
}

/** Gives every gap this weight with certainty, so that only the model's own uncertainty remains. */
export function fixWeight(weight: number): EdgeEvidence {
  return {
    mean: Array.from({ length: FEATURE_COUNT }, (_, k) => (k < 2 ? weight : 0)),
    covariance: Array.from({ length: FEATURE_COUNT }, () => new Array<number>(FEATURE_COUNT).fill(0)),
    events: 0,
    informationPerEvent: 0,
    halt: null,
  };
}

// Converts prices to probabilities: removes the bookmaker's margin by the power method, which, unlike
// proportional scaling, does not leave long shots overpriced.

/** Finds the exponent k for which the powers of the prices sum to 1; null with fewer than two prices. */
export function devigPrices(prices: readonly (number | null)[]): number[] | null {
  if (prices.length < 2 || prices.some((price) => price === null)) return null;
  const known = prices.map((price) => Math.min(0.999, Math.max(1e-4, price!)));
  const power = recallPower(known);
  const raised = known.map((price) => price ** power);
  const total = raised.reduce((sum, p) => sum + p, 0);
  return raised.map((p) => p / total);
}

/** Cached, because what-if requests repeat the same prices and the search is slow. */
const powers = new Map<string, number>();
const POWERS_KEPT = 256;

function recallPower(prices: readonly number[]): number {
  const key = prices.join();
  const power = powers.get(key) ?? findPower(prices);
  if (powers.size >= POWERS_KEPT) powers.clear();
  powers.set(key, power);
  return power;
}

export function findPower(prices: readonly number[]): number {
  let low = 0.01;
  let high = 100;
  for (let round = 0; round < 100; round++) {
    const middle = Math.sqrt(low * high);
    // The interval cannot shrink any further.
    if (middle <= low || middle >= high) break;
    if (prices.reduce((sum, price) => sum + price ** middle, 0) > 1) low = middle;
    else high = middle;
  }
  return high;
}
