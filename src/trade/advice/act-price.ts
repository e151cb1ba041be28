// The price at which a trade would be advised.

import { computeCostPerShare } from '../cost.ts';
import { roundExact } from '../decimal.ts';
import type { ActAt, PricedBucket } from '../types.ts';

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
