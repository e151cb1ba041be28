// A quote of an order-book token, and the single number that is its price.

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

/** A book of 0.01 against 0.99 is an empty market; its midpoint means nothing. */
export function isGhostBook(bid: number, ask: number): boolean {
  return bid <= 0.01 && ask >= 0.99;
}

/** Midpoint if both sides are real, otherwise last trade, otherwise the listed price, otherwise null. */
export function computeMarketPrice(quote: Quote | undefined, listedPrice: number | null): number | null {
  if (quote && quote.bid !== null && quote.ask !== null && !isGhostBook(quote.bid, quote.ask)) {
    return roundPrice((quote.bid + quote.ask) / 2);
  }
  return quote?.lastTradePrice ?? listedPrice;
}

/** Rounds to decimal prices, so that a sum of two carries no binary error. */
export function roundPrice(price: number): number {
  return Math.round(price * 1e6) / 1e6;
}
