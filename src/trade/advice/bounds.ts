// Bounds of a side's probability, and whether they prove a purchase.

import type { OutcomeSide } from '../../domain/position.ts';
import { computeCostPerShare, findNoBuy, findYesBuy } from '../cost.ts';
import { roundExact } from '../decimal.ts';
import type { ActAt, BucketEdge, Disagreement, PricedBucket } from '../types.ts';

/** Whether the side's probability bound exceeds its cost. */
export function isProven(
  edge: BucketEdge,
  bucket: PricedBucket,
  side: OutcomeSide,
  cost: number,
  slack = 0,
): boolean {
  return edge.halt === null && boundOf(edge, bucket, side) > cost - slack;
}

/** Lower bound of the side's probability; for a model edge, at most the model's own probability. */
export function boundOf(edge: BucketEdge, { modelProbability }: PricedBucket, side: OutcomeSide): number {
  const bound = side === 'Yes' ? edge.lower : 1 - edge.upper;
  if (edge.kind === 'fact') return bound;
  return Math.min(bound, side === 'Yes' ? modelProbability : 1 - modelProbability);
}

// The price at which a trade would be advised.

/** The highest tick with a cost (fee included) below the bound; null if there is none. */
export function findHighestPrice(bound: number, { fee, tickSize }: PricedBucket): number | null {
  let price = Math.min(1 - tickSize, roundExact(Math.floor(bound / tickSize + 1e-9) * tickSize));
  while (price > 0 && computeCostPerShare(price, fee) >= bound) price = roundExact(price - tickSize);
  return price > 0 ? price : null;
}

/** Picks the side that is closer to being bought. */
export function findActAt(bucket: PricedBucket, yesBound: number, noBound: number): ActAt | null {
  const candidates = [
    { side: 'Yes' as const, price: findHighestPrice(yesBound, bucket), ask: bucket.yesQuote?.ask ?? null },
    { side: 'No' as const, price: findHighestPrice(noBound, bucket), ask: bucket.noQuote?.ask ?? null },
  ];
  const possible = candidates.flatMap(({ side, price, ask }) =>
    price === null || ask === null ? [] : [{ side, price, ask }],
  );
  const nearest = possible.sort((a, b) => a.ask - a.price - (b.ask - b.price))[0];
  if (!nearest) return null;
  const { price, ask } = nearest;
  const worthAtCost = computeCostPerShare(price, bucket.fee);
  return { ...nearest, worthAtCost, costPerShare: computeCostPerShare(ask, bucket.fee) };
}

/** The side that can be bought furthest below the model's probability; null if neither is below it. */
export function findDisagreement(bucket: PricedBucket, edge: BucketEdge): Disagreement | null {
  const { modelProbability: p } = bucket;
  const sides = [
    { side: 'Yes' as const, model: p, buy: findYesBuy(bucket) },
    { side: 'No' as const, model: 1 - p, buy: findNoBuy(bucket) },
  ];
  const found = sides.flatMap(({ side, model, buy }): Disagreement[] => {
    if (!buy.isExecutable || buy.price.netPrice >= model) return [];
    const actAtPrice = edge.halt === null ? findHighestPrice(boundOf(edge, bucket, side), bucket) : null;
    return [{ side, model, ask: buy.price.bookPrice, costPerShare: buy.price.netPrice, actAtPrice }];
  });
  return found.sort((a, b) => gapOf(b) - gapOf(a))[0] ?? null;
}

export function gapOf({ model, costPerShare }: Disagreement): number {
  return model - costPerShare;
}
