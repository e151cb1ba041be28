// What a bucket's prices say against what is believed, before anything is sized. Every advice about a bucket, on
// whichever page and for whichever bankroll, begins here, so that no two of them can disagree.

import { type ExecutablePrice, findNoBuy, findNoSell, findYesBuy, findYesSell } from '../cost.ts';
import { SELL_MARGIN } from '../sizing/sizing-rules.ts';
import type { PricedBucket } from '../types.ts';

export type Judgement =
  | { kind: 'buy' | 'exit'; price: ExecutablePrice }
  /** Inside the spread: neither side gains. */
  | { kind: 'nothing'; isTradable: true; netBid: number | null; cost: number }
  | { kind: 'nothing'; isTradable: false; problem: string };

/** Of the Yes share. `belief` is the model and the market pooled; a bet must be worth it by the model alone as well. */
export function judgeYes(bucket: PricedBucket, belief: number): Judgement {
  if (bucket.marketPrice === null) return impossible('the market shows no price for this bucket');
  const sale = findExit(bucket, belief, 'Yes');
  if (sale) return { kind: 'exit', price: sale };
  const buy = findYesBuy(bucket);
  if (!buy.isExecutable) return impossible(buy.problem);
  const worth = Math.min(bucket.modelProbability, belief);
  if (worth > buy.price.netPrice) return { kind: 'buy', price: buy.price };
  const sell = findYesSell(bucket);
  const netBid = sell.isExecutable ? sell.price.netPrice : null;
  return { kind: 'nothing', isTradable: true, netBid, cost: buy.price.netPrice };
}

/** The price of a No share that is worth buying; null where it is not. */
export function findNoBargain(bucket: PricedBucket, belief: number): ExecutablePrice | null {
  const buy = findNoBuy(bucket);
  if (!buy.isExecutable || bucket.marketPrice === null) return null;
  const worth = 1 - Math.max(bucket.modelProbability, belief);
  return worth > buy.price.netPrice ? buy.price : null;
}

/** The sale of a held side that brings more than holding it is believed to be worth, by a margin; null otherwise. */
export function findExit(bucket: PricedBucket, belief: number, side: 'Yes' | 'No'): ExecutablePrice | null {
  const sell = side === 'Yes' ? findYesSell(bucket) : findNoSell(bucket);
  if (!sell.isExecutable) return null;
  const yesWorth = Math.max(bucket.modelProbability, belief);
  const noWorth = 1 - Math.min(bucket.modelProbability, belief);
  const worth = side === 'Yes' ? yesWorth : noWorth;
  // What can no longer win is worth selling at any price.
  const margin = worth > 0 ? SELL_MARGIN : 0;
  return worth < sell.price.netPrice - margin ? sell.price : null;
}

function impossible(problem: string): Judgement {
  return { kind: 'nothing', isTradable: false, problem };
}
