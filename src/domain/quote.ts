// What an order-book token costs now, and which single number is its price.

export interface Quote {
  tokenId: string;
  bid: number | null;
  ask: number | null;
  /** Shares shown at the best bid and ask; null when unknown. */
  bidShares: number | null;
  askShares: number | null;
  lastTradePrice: number | null;
  observedTs: number;
}

/** A book of 0.01 against 0.99 is what an empty market shows; its midpoint means nothing. */
export function isGhostBook(bid: number, ask: number): boolean {
  return bid <= 0.01 && ask >= 0.99;
}

/** Midpoint where both sides are real, else last trade, else the listed price, else null. */
export function computeMarketPrice(quote: Quote | undefined, listedPrice: number | null): number | null {
  if (quote && quote.bid !== null && quote.ask !== null && !isGhostBook(quote.bid, quote.ask)) {
    return roundPrice((quote.bid + quote.ask) / 2);
  }
  return quote?.lastTradePrice ?? listedPrice;
}

/** Prices are decimal on the wire; adding two of them must not leave binary dust behind. */
export function roundPrice(price: number): number {
  return Math.round(price * 1e6) / 1e6;
}
