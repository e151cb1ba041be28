// Effective cost of buying a share and proceeds of selling one: the book price adjusted for the market's fee.

import type { FeeSchedule } from '../domain/market-event.ts';
import { isGhostBook, type Quote } from '../domain/quote.ts';
import { roundExact } from './decimal.ts';
import type { PricedBucket } from './types.ts';

/** An executable trade: price per share including the fee, and the displayed depth. */
export interface ExecutablePrice {
  /** Price on the book. */
  bookPrice: number;
  feePerShare: number;
  /** Buying: price plus fee. Selling: price minus fee. */
  netPrice: number;
  /** null if unknown. */
  depthShares: number | null;
}

/** Either an executable price, or why there is none. */
export type Executability =
  | { isExecutable: true; price: ExecutablePrice }
  | { isExecutable: false; problem: string };

/** Taker fee per share = rate * (p * (1 - p)) ** exponent. */
export function computeFeePerShare(price: number, fee: FeeSchedule): number {
  if (fee.rate <= 0 || price <= 0 || price >= 1) return 0;
  return fee.rate * (price * (1 - price)) ** fee.exponent;
}

/** Ask plus fee. */
export function computeCostPerShare(ask: number, fee: FeeSchedule): number {
  return roundExact(ask + computeFeePerShare(ask, fee));
}

/** Bid minus fee: the proceeds of selling a share. */
export function computeNetBid(bid: number, fee: FeeSchedule): number {
  return roundExact(Math.max(0, bid - computeFeePerShare(bid, fee)));
}

export function findYesBuy(bucket: PricedBucket): Executability {
  return findBuy(bucket, bucket.yesQuote);
}

export function findNoBuy(bucket: PricedBucket): Executability {
  return findBuy(bucket, bucket.noQuote);
}

export function findYesSell(bucket: PricedBucket): Executability {
  return findSell(bucket, bucket.yesQuote);
}

export function findNoSell(bucket: PricedBucket): Executability {
  return findSell(bucket, bucket.noQuote);
}

function findBuy(bucket: PricedBucket, quote: Quote | null): Executability {
  const problem = findBookProblem(bucket, quote);
  if (problem) return refuse(problem);
  const ask = quote?.ask ?? null;
  if (ask === null) return refuse('nothing for sale (no ask)');
  if (!(ask > 0 && ask < 1)) return refuse(`the ask of ${ask} is not between 0 and 1`);
  const netPrice = computeCostPerShare(ask, bucket.fee);
  if (netPrice >= 1) return refuse(`a share at ${ask} plus fee costs at least the 1 USD that it can pay`);
  return accept(ask, netPrice, bucket.fee, quote?.askShares ?? null);
}

function findSell(bucket: PricedBucket, quote: Quote | null): Executability {
  const problem = findBookProblem(bucket, quote);
  if (problem) return refuse(problem);
  const bid = quote?.bid ?? null;
  if (bid === null) return refuse('no buyers (no bid)');
  if (!(bid > 0 && bid < 1)) return refuse(`the bid of ${bid} is not between 0 and 1`);
  return accept(bid, computeNetBid(bid, bucket.fee), bucket.fee, quote?.bidShares ?? null);
}

function findBookProblem(bucket: PricedBucket, quote: Quote | null): string | null {
  if (!bucket.isOpen) return 'closed: the market takes no orders for this bucket';
  if (!quote) return 'no order book for this bucket';
  // In an empty market, a missing side means as little as a quote at 0.01 or 0.99.
  if ((quote.bid !== null || quote.ask !== null) && isGhostBook(quote.bid ?? 0, quote.ask ?? 1)) {
    return `empty book (${quote.bid ?? 'no bid'} / ${quote.ask ?? 'no ask'}): its prices are meaningless`;
  }
  return null;
}

function accept(
  bookPrice: number,
  netPrice: number,
  fee: FeeSchedule,
  depthShares: number | null,
): Executability {
  const feePerShare = roundExact(computeFeePerShare(bookPrice, fee));
  return { isExecutable: true, price: { bookPrice, feePerShare, netPrice, depthShares } };
}

function refuse(problem: string): Executability {
  return { isExecutable: false, problem };
}

/** Relative to the published market price, however low; 0 at a price of 0. */
export function computeEdgePercent(edge: number, marketPrice: number): number {
  return marketPrice > 0 ? roundExact((100 * roundExact(edge)) / marketPrice) : 0;
}
