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
