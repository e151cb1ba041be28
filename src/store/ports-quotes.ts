// Port for order-book token prices.

import type { Quote } from '../domain/quote.ts';

export interface QuoteStore {
  record(quotes: readonly Quote[]): Promise<void>;
  latest(tokenIds: readonly string[]): Promise<Quote[]>;
  /** The last quote at or before ts, if any. */
  standingAt(tokenId: string, ts: number): Promise<Quote | undefined>;
  /** Earliest first; to get the next page, start after the last time of this one. */
  listRange(tokenId: string, range: QuoteRange): Promise<Quote[]>;
  /** Drops whole partitions before ts; returns the number of removed rows. */
  dropMonths(beforeTs: number): Promise<number>;
  /** The next tokens with quotes, in order, and whether each has quotes that `shorten` would delete. */
  listTokens(
    afterTokenId: string,
    stretch: QuoteStretch,
    limit: number,
  ): Promise<{ tokenId: string; isDue: boolean }[]>;
  /** Deletes a token's expired quotes, and within a range all but the last quote of each hour. */
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
