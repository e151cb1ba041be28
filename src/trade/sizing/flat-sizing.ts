// Optimal-growth fractions of an account that holds nothing, over all open events at once. Only bets that pay on
// their own (p above the executable cost) are made: a hedge bought at a loss is growth-optimal but no signal.

import { type ExecutablePrice, findYesBuy } from '../pricing/cost.ts';
import type { PricedBucket, PricedEvent, SizingRules } from '../types.ts';
import type { Holding } from './allocation-problem.ts';
import { climbToAllocation } from './coordinate-ascent.ts';
import { allocateExclusive, clipProbability } from './kelly.ts';
import { buildOutcomeCells } from './outcome-cells.ts';

export interface FlatSizing {
  /** Full Kelly fraction per event and bucket. */
  fractions: number[][];
  /** What the full fractions are to be multiplied by. */
  lambda: number;
  /** How several events were kept from betting the same bankroll twice, in words; null for one event. */
  note: string | null;
}

export function sizeFlatAccount(events: readonly PricedEvent[], rules: SizingRules): FlatSizing {
  if (events.length <= 1) {
    return { fractions: events.map(sizeAlone), lambda: rules.kellyLambda, note: null };
  }
  const joint = sizeJointly(events);
  if (joint) {
    const note = `sized together with ${events.length - 1} other open event(s) on common simulated paths`;
    return { fractions: joint, lambda: rules.kellyLambda, note };
  }
  return {
    fractions: events.map(sizeAlone),
    lambda: rules.kellyLambda / events.length,
    note: `Kelly share divided by ${events.length} overlapping events`,
  };
}

/** Cost of a bucket that is worth buying by itself; null otherwise. */
export function findWorthwhileBuy(bucket: PricedBucket): ExecutablePrice | null {
  const buy = findYesBuy(bucket);
  return buy.isExecutable && bucket.modelProbability > buy.price.netPrice ? buy.price : null;
}

function sizeAlone(event: PricedEvent): number[] {
  const costs = event.buckets.map((bucket) => findWorthwhileBuy(bucket)?.netPrice ?? 1);
  const probabilities = event.buckets.map((bucket) => clipProbability(bucket.modelProbability));
  const total = probabilities.reduce((sum, p) => sum + p, 0);
  return allocateExclusive(total > 1 ? probabilities.map((p) => p / total) : probabilities, costs).fractions;
}

function sizeJointly(events: readonly PricedEvent[]): number[][] | null {
  const cells = buildOutcomeCells(
    events.map((event) => ({
      ranges: event.buckets,
      probabilities: event.buckets.map((bucket) => bucket.modelProbability),
      finals: event.finals,
    })),
  );
  if (!cells) return null;
  const holdings = events.flatMap((event, e) =>
    event.buckets.flatMap((bucket, b) => {
      const price = findWorthwhileBuy(bucket);
      return price ? [createBuyOnly(e, b, price.netPrice)] : [];
    }),
  );
  const { trades } = climbToAllocation({ ...cells, cashUsd: 1, holdings });
  const fractions = events.map((event) => event.buckets.map(() => 0));
  holdings.forEach((holding, i) => {
    fractions[holding.event][holding.bucket] = trades[i].buyYes * holding.yesCost!;
  });
  return fractions;
}

function createBuyOnly(event: number, bucket: number, yesCost: number): Holding {
  const closed = { yesNetBid: null, noCost: null, noNetBid: null };
  return { event, bucket, yesShares: 0, noShares: 0, yesCost, ...closed };
}
