// Prices of order-book tokens, as a port.

import type { Quote } from '../domain/quote.ts';

export interface QuoteStore {
  record(quotes: readonly Quote[]): Promise<void>;
  latest(tokenIds: readonly string[]): Promise<Quote[]>;
  /** The quote valid at ts, if any. */
  standingAt(tokenId: string, ts: number): Promise<Quote | undefined>;
  /** Earliest first; the next page starts after the last time of this one. */
  listRange(tokenId: string, range: QuoteRange): Promise<Quote[]>;
  /** Drops whole partitions before ts; returns how many rows were removed. */
  dropMonths(beforeTs: number): Promise<number>;
  /** The next tokens with quotes, in order, and whether `shorten` has anything to do for each. */
  listTokens(
    afterTokenId: string,
    stretch: QuoteStretch,
    limit: number,
  ): Promise<{ tokenId: string; isDue: boolean }[]>;
  /** For one token: deletes expired quotes, and keeps the last of each hour in a range. */
  shorten(tokenId: string, stretch: QuoteStretch): Promise<number>;
}

export interface QuoteRange {
  fromTs: number;
  /** Exclusive. */
  untilTs: number;
  limit: number;
}

export interface QuoteStretch {
  keptFromTs: number;
  hourlyFromTs: number;
  hourlyUntilTs: number;
}
