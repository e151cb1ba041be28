// How far a ladder's prices are from the model, and which of the two was right; used to compare simulated and
// real markets.

import { quantile } from '../core/statistics.ts';

export interface ScoredLadder {
  leadHours: number;
  model: readonly number[];
  /** Mid prices including the margin. */
  prices: readonly number[];
  /** Index of the winning bucket; -1 if it is not in the ladder. */
  winner: number;
}

export interface LeadStatistics {
  ladders: number;
  /** Half the sum of absolute differences, after removing the margin. */
  variation: Spread;
  largestGap: Spread;
  sumOfMids: number;
  favourite: number;
  /** Log score of the model minus that of the market; negative if the model is better. */
  modelLessMarket: number;
  /** The same for a blend with weight 0.3 on the model. */
  blendLessMarket: number;
}

export interface Spread {
  mean: number;
  p90: number;
}

export interface Disagreement {
  buckets: number;
  predicted: number;
  price: number;
  observed: number;
}

const BLEND_WEIGHT = 0.3;
const LOG_FLOOR = 1e-4;
/** A gap above this on a bucket is a disagreement. */
const DISAGREES_BY = 0.03;

export function describeLadders(ladders: readonly ScoredLadder[]): LeadStatistics {
  const gaps = ladders.map((ladder) => {
    const model = normalise(ladder.model);
    return normalise(ladder.prices).map((price, i) => Math.abs(price - model[i]!));
  });
  const settled = ladders.filter(({ winner }) => winner >= 0);
  return {
    ladders: ladders.length,
    variation: spreadOf(gaps.map((row) => sum(row) / 2)),
    largestGap: spreadOf(gaps.map((row) => Math.max(...row))),
    sumOfMids: mean(ladders.map(({ prices }) => sum(prices))),
    favourite: mean(ladders.map(({ prices }) => Math.max(...prices))),
    modelLessMarket: mean(settled.map((ladder) => gainOver(ladder, 1))),
    blendLessMarket: mean(settled.map((ladder) => gainOver(ladder, BLEND_WEIGHT))),
  };
}

function gainOver({ model, prices, winner }: ScoredLadder, weight: number): number {
  const market = normalise(prices);
  const blend = normalise(
    normalise(model).map(
      (p, i) => Math.max(LOG_FLOOR, p) ** weight * Math.max(LOG_FLOOR, market[i]!) ** (1 - weight),
    ),
  );
  return Math.log(Math.max(LOG_FLOOR, market[winner]!)) - Math.log(Math.max(LOG_FLOOR, blend[winner]!));
}

/** Buckets with a model probability more than 3 cents above (sign 1) or below (sign -1) the price. */
export function describeDisagreement(ladders: readonly ScoredLadder[], sign: 1 | -1): Disagreement {
  // A ladder without an outcome is not a lost one.
  const settled = ladders.filter(({ winner }) => winner >= 0);
  const cells = settled.flatMap(({ model, prices, winner }) =>
    model.map((p, i) => ({ p, price: prices[i]!, won: i === winner ? 1 : 0 })),
  );
  const apart = cells.filter(({ p, price }) => sign * (p - price) > DISAGREES_BY);
  return {
    buckets: apart.length,
    predicted: mean(apart.map(({ p }) => p)),
    price: mean(apart.map(({ price }) => price)),
    observed: mean(apart.map(({ won }) => won)),
  };
}

function spreadOf(values: readonly number[]): Spread {
  return { mean: mean(values), p90: quantile(values, 0.9) };
}

function normalise(values: readonly number[]): number[] {
  const total = sum(values) || 1;
  return values.map((value) => value / total);
}

function mean(values: readonly number[]): number {
  return sum(values) / values.length;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
