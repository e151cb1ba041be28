// The order book for one side of a bucket, as stored in the archive.

import { HOUR_MS, SECOND_MS } from './units.ts';

export interface BookChange {
  /** Bucket label as the market writes it. */
  bucket: string;
  side: 'yes' | 'no';
  observedTs: number;
  bid: number | null;
  ask: number | null;
  /** Shares at the best prices. */
  bidShares: number | null;
  askShares: number | null;
  /** Shares within DEPTH_REACH of the best prices, inclusive; null if the venue shows no levels. */
  bidDepth: number | null;
  askDepth: number | null;
  lastTradePrice: number | null;
}

/** The books of one event in one hour. */
export interface BookHour {
  /** In chronological order. */
  changes: readonly BookChange[];
  /**
   * Indexes of the SLOT_MS slots since the Unix epoch in which prices were confirmed; in a slot without a
   * change, the previous book still applies.
   */
  slots: readonly number[];
}

export interface BookPiece extends BookHour {
  eventId: number;
  hourTs: number;
}

export const DEPTH_REACH = 0.05;
export const SLOT_MS = 10 * SECOND_MS;

export function hourOf(ts: number): number {
  return Math.floor(ts / HOUR_MS) * HOUR_MS;
}

export function slotOf(ts: number): number {
  return Math.floor(ts / SLOT_MS);
}

export function mergeHours(hours: readonly BookHour[]): BookHour {
  return {
    changes: hours
      .flatMap(({ changes }) => changes)
      .sort((left, right) => left.observedTs - right.observedTs),
    slots: [...new Set(hours.flatMap(({ slots }) => slots))].sort((left, right) => left - right),
  };
}

// A quote for an order-book token, and how to reduce it to one price.

export interface Quote {
  tokenId: string;
  bid: number | null;
  ask: number | null;
  /** Shares at the best bid and ask; null if unknown. */
  bidShares: number | null;
  askShares: number | null;
  lastTradePrice: number | null;
  observedTs: number;
}

/** A 0.01 bid and 0.99 ask mean an empty market with a meaningless midpoint. */
export function isGhostBook(bid: number, ask: number): boolean {
  return bid <= 0.01 && ask >= 0.99;
}

/**
 * Midpoint if both sides are real, otherwise last trade, otherwise the listed price, otherwise null. An old
 * trade or listing is moved to the quote it lies outside of.
 */
export function computeMarketPrice(quote: Quote | undefined, listedPrice: number | null): number | null {
  if (quote && quote.bid !== null && quote.ask !== null && !isGhostBook(quote.bid, quote.ask)) {
    return roundPrice((quote.bid + quote.ask) / 2);
  }
  const price = quote?.lastTradePrice ?? listedPrice;
  if (price === null) return null;
  return Math.max(quote?.bid ?? 0, Math.min(quote?.ask ?? 1, price));
}

/** Rounds to decimal prices, so sums carry no binary rounding error. */
export function roundPrice(price: number): number {
  return Math.round(price * 1e6) / 1e6;
}
