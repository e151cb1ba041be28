// The order book of one token at a given time, for both REST and websocket.

import { createHash } from 'node:crypto';
import { HOUR_MS } from '../../src/domain/units.ts';
import { hashNumbers } from '../chance.ts';
import type { MarketPrice } from '../market/listed-event.ts';
import { type BookLevel, buildYesBook, mirrorBook, roundTo, type YesBook } from '../market/quotes.ts';
import type { MarketRef, SimulatorState } from '../simulator-state.ts';

export interface TokenBook {
  book: YesBook;
  price: MarketPrice;
  /** Price of this side's last trade. */
  last: number;
}

/** A book with unchanged prices counts as the same book for this long. */
const BOOK_HOLDS_MS = 6 * HOUR_MS;

export function readTokenPrice(ref: MarketRef, ts: number): MarketPrice {
  return ref.book.prices(ref.event, ts)[ref.market.index]!;
}

/**
 * Whether a token's book is unchanged since a given time; much cheaper than building and comparing two books.
 */
export function isSameBook(
  before: { price: MarketPrice; ts: number },
  now: { price: MarketPrice; ts: number },
): boolean {
  return (
    before.price.bid === now.price.bid &&
    before.price.ask === now.price.ask &&
    before.price.last === now.price.last &&
    now.price.closedTs === null &&
    Math.floor(before.ts / BOOK_HOLDS_MS) === Math.floor(now.ts / BOOK_HOLDS_MS)
  );
}

export function readTokenBook(state: SimulatorState, ref: MarketRef, ts: number): TokenBook {
  const price = readTokenPrice(ref, ts);
  const key = hashNumbers(state.seedKey, ref.market.marketId, 0xb00c);
  const yes = buildYesBook(key, price.bid, price.ask, ref.event, Math.floor(ts / BOOK_HOLDS_MS));
  const last = ref.side === 0 ? price.last : roundTo(1 - price.last);
  return { book: ref.side === 0 ? yes : mirrorBook(yes), price, last };
}

export interface LevelWire {
  price: string;
  size: string;
}

/** The market sends the worst level first. */
export function toWorstFirst(levels: readonly BookLevel[]): LevelWire[] {
  return levels.map((level) => ({ price: String(level.price), size: String(level.shares) })).reverse();
}

export interface BookSummary {
  market: string;
  asset_id: string;
  timestamp: string;
  hash: string;
  bids: LevelWire[];
  asks: LevelWire[];
  min_order_size: string;
  tick_size: string;
  neg_risk: boolean;
  last_trade_price: string;
}

/** The book as a request returns it; pushed books have the same hash. */
export function summariseBook(
  ref: MarketRef,
  levels: Pick<BookSummary, 'bids' | 'asks'>,
  { tick, last, nowTs }: { tick: number; last: number; nowTs: number },
): BookSummary {
  return withBookHash({
    market: ref.market.conditionId,
    asset_id: ref.market.tokenIds[ref.side],
    timestamp: String(nowTs),
    hash: '',
    ...levels,
    min_order_size: '5',
    tick_size: String(tick),
    neg_risk: ref.event.isNegRisk,
    last_trade_price: String(last),
  });
}

/** The SHA-1 of the book with an empty hash, as the market's clients compute it. */
function withBookHash(book: BookSummary): BookSummary {
  return { ...book, hash: createHash('sha1').update(JSON.stringify(book)).digest('hex') };
}
