// The order book of one token at an instant, as both the REST calls and the websocket show it.

import { HOUR_MS } from '../../domain/units.ts';
import { hashNumbers } from '../chance.ts';
import type { MarketRef, WorldState } from '../world-state.ts';
import type { MarketPrice } from './listed-event.ts';
import { type BookLevel, buildYesBook, mirrorBook, roundTo, type YesBook } from './quotes.ts';

export interface TokenBook {
  book: YesBook;
  price: MarketPrice;
  /** Last trade of this side. */
  last: number;
}

export function readTokenBook(state: WorldState, ref: MarketRef, ts: number): TokenBook {
  const price = ref.book.prices(ref.event, ts)[ref.market.index]!;
  const key = hashNumbers(state.seedKey, ref.market.marketId, 0xb00c);
  const yes = buildYesBook(key, price.bid, price.ask, ref.event, Math.floor(ts / (6 * HOUR_MS)));
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

export function bookHash(state: WorldState, ref: MarketRef, ts: number): string {
  const parts = [0, 1, 2, 3, 4].map((part) => hashNumbers(state.seedKey, ref.market.marketId, ts, part));
  return parts.map((part) => part.toString(16).padStart(8, '0')).join('');
}

/** Midpoint of a token, for histories. */
export function midOf(state: WorldState, ref: MarketRef, ts: number): number {
  const { price } = readTokenBook(state, ref, ts);
  const yes = price.bid !== null && price.ask !== null ? (price.bid + price.ask) / 2 : price.mid;
  return roundTo(ref.side === 0 ? yes : 1 - yes);
}
