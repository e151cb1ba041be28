// What to believe when money is at stake: the model and the market's prices, pooled. The published probability is the
// model's alone; but where the two disagree the truth lies between, and a bet on the disagreement must allow for it
// (Benter 1994). The weight is learned from settled events.

import { allocateExclusive } from '../sizing/kelly.ts';
import type { PricedEvent } from '../types.ts';
import { devigPrices } from './devig.ts';
import { poolLogarithmically } from './log-pool.ts';

/** With nothing settled yet both have an equal say: on 34 weekly ladders half of each was better than 0.3 and than either. */
export const PRIOR_MODEL_WEIGHT = 0.5;
/** The prior counts as much as this many events. */
const PRIOR_EVENTS = 20;
/** What a share costs beyond its midpoint, where only midpoints were kept: half a spread and a fee. */
const ASSUMED_HALF_SPREAD = 0.01;
const ASSUMED_FEE_RATE = 0.05;
const GRID_STEP = 0.05;

/** q proportional to model ^ w * market ^ (1 - w). Without prices of the whole ladder the model stands alone. */
export function poolBelief(
  model: readonly number[],
  prices: readonly (number | null)[],
  modelWeight: number,
): number[] {
  const market = devigPrices(prices);
  return market ? poolLogarithmically(model, market, modelWeight) : [...model];
}

/** The event as sizing sees it: the pooled belief in place of the model's probability. */
export function withBelief(event: PricedEvent): PricedEvent {
  const belief = poolBelief(
    event.buckets.map((bucket) => bucket.modelProbability),
    // A bucket that is closed is decided: its last price says nothing of the others.
    event.buckets.map((bucket) => (bucket.isOpen ? bucket.marketPrice : Math.round(bucket.marketPrice ?? 0))),
    event.modelWeight ?? PRIOR_MODEL_WEIGHT,
  );
  return {
    ...event,
    buckets: event.buckets.map((bucket, i) => ({ ...bucket, modelProbability: belief[i]! })),
  };
}

/** A forecast that stood at a horizon of a settled event, beside the prices of the same instant. */
export interface BeliefSample {
  eventId: number;
  model: readonly number[];
  prices: readonly (number | null)[];
  winner: number;
}

/**
 * Two questions to the settled events: which weight would have described them best (log score), and which would have
 * earned most at the prices paid? Bets are made where model and market disagree most, where the model's errors are
 * largest, so the second answer counts where it is lower; it takes over as events accumulate.
 */
export function estimateModelWeight(samples: readonly BeliefSample[]): number {
  const known = samples.flatMap((sample) => prepare(sample) ?? []);
  const events = new Map<number, number>();
  for (const { eventId } of known) events.set(eventId, (events.get(eventId) ?? 0) + 1);
  const weights = Array.from({ length: Math.round(1 / GRID_STEP) - 1 }, (_, i) => (i + 1) * GRID_STEP);
  const trials = weights.map((weight) => {
    let score = logPrior(weight);
    let growth = 0;
    for (const sample of known) {
      // An event counts once, however many of its horizons are known.
      const share = 1 / events.get(sample.eventId)!;
      const belief = poolLogarithmically(sample.model, sample.market, weight);
      score += share * Math.log(Math.max(1e-6, belief[sample.winner]!));
      growth += share * computeGrowth(belief, sample);
    }
    return { weight, score, growth };
  });
  const described = trials.reduce((best, trial) => (trial.score > best.score ? trial : best)).weight;
  const earned = trials
    .filter((trial) => trial.weight <= described + 1e-9)
    .reduce((best, trial) => (trial.growth > best.growth ? trial : best), { weight: 0, growth: 0 }).weight;
  return (events.size * earned + PRIOR_EVENTS * described) / (events.size + PRIOR_EVENTS);
}

interface PreparedSample extends BeliefSample {
  market: readonly number[];
  costs: readonly number[];
}

function prepare(sample: BeliefSample): PreparedSample | null {
  const market = devigPrices(sample.prices);
  if (!market || sample.winner < 0) return null;
  const costs = sample.prices.map((price) => {
    const mid = price ?? 0;
    return mid > 0 ? mid + ASSUMED_HALF_SPREAD + ASSUMED_FEE_RATE * mid * (1 - mid) : 1;
  });
  return { ...sample, market, costs };
}

/** Beta distribution around the prior weight. */
function logPrior(weight: number): number {
  const { log } = Math;
  return PRIOR_EVENTS * (PRIOR_MODEL_WEIGHT * log(weight) + (1 - PRIOR_MODEL_WEIGHT) * log(1 - weight));
}

/** Log growth of a quarter-Kelly bettor with this belief. */
function computeGrowth(belief: readonly number[], { costs, winner }: PreparedSample): number {
  const offered = costs.map((cost, i) => (belief[i]! > cost ? cost : 1));
  const { fractions } = allocateExclusive(belief, offered);
  const stake = fractions.reduce((sum, f) => sum + f, 0);
  return Math.log1p(0.25 * (fractions[winner]! / offered[winner]! - stake));
}
