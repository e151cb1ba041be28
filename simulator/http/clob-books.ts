// Order books, and the prices derived from them.

import type { SimulatedExchange } from '../exchange/simulated-exchange.ts';
import { tickAt } from '../exchange/simulated-markets.ts';
import type { MarketRef, SimulatorState } from '../simulator-state.ts';
import { type BookSummary, summariseBook, toWorstFirst } from '../trading/token-book.ts';
import { type Answer, failure } from './answer.ts';

const NO_BOOK = { error: 'No orderbook exists for the requested token id' };

export function createClobBooks(state: SimulatorState, exchange: SimulatedExchange) {
  /** null for a token without a book (unknown or closed). */
  function findOpen(tokenId: string | null, nowTs: number): MarketRef | null {
    const ref = tokenId ? state.findToken(tokenId, nowTs) : null;
    if (!ref || ref.book.prices(ref.event, nowTs)[ref.market.index]!.closedTs !== null) return null;
    return state.faults.hits('clob-no-book', nowTs) ? null : ref;
  }

  function toBook(ref: MarketRef, nowTs: number): BookSummary {
    const { book, last } = exchange.readBook(ref, nowTs);
    const levels = { bids: toWorstFirst(book.bids), asks: toWorstFirst(book.asks) };
    return summariseBook(ref, levels, { tick: tickAt(state, ref.event.tick, nowTs), last, nowTs });
  }

  function single(query: URLSearchParams, nowTs: number, run: (ref: MarketRef) => Answer): Answer {
    const tokenId = query.get('token_id');
    if (!tokenId || !/^\d+$/.test(tokenId)) return failure(400, { error: 'Invalid token id' });
    const ref = findOpen(tokenId, nowTs);
    return ref ? run(ref) : failure(404, NO_BOOK);
  }

  return { findOpen, toBook, single };
}
