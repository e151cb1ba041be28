// Order books, and the prices derived from them.

import type { SimulatedExchange } from '../exchange/simulated-exchange.ts';
import { tickAt } from '../exchange/simulated-markets.ts';
import type { MarketRef, SimulatorState } from '../simulator-state.ts';
import { type BookSummary, summariseBook, toWorstFirst } from '../trading/token-book.ts';
import { type Answer, failure, ok } from './answer.ts';

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

  /** BUY is the best bid and SELL the best ask. */
  function bestPrice(ref: MarketRef, side: string, nowTs: number): string | null {
    const { book } = exchange.readBook(ref, nowTs);
    const level = side === 'BUY' ? book.bids[0] : book.asks[0];
    return level ? String(level.price) : null;
  }

  function single(query: URLSearchParams, nowTs: number, run: (ref: MarketRef) => Answer): Answer {
    const tokenId = query.get('token_id');
    if (!tokenId || !/^\d+$/.test(tokenId)) return failure(400, { error: 'Invalid token id' });
    const ref = findOpen(tokenId, nowTs);
    return ref ? run(ref) : failure(404, NO_BOOK);
  }

  function price(query: URLSearchParams, nowTs: number): Answer {
    const side = query.get('side')?.toUpperCase();
    if (side !== 'BUY' && side !== 'SELL') return failure(400, { error: 'Invalid side' });
    return single(query, nowTs, (ref) => ok({ price: bestPrice(ref, side, nowTs) ?? '0' }));
  }

  function allPrices(wanted: readonly { token_id: string; side: string }[], nowTs: number): Answer {
    const prices: Record<string, Record<string, string>> = {};
    for (const { token_id, side } of wanted) {
      const ref = findOpen(token_id, nowTs);
      const best = ref && bestPrice(ref, side, nowTs);
      if (best !== null) prices[token_id] = { ...prices[token_id], [side]: best };
    }
    return ok(prices);
  }

  function spread(ref: MarketRef, nowTs: number): string {
    const { book } = exchange.readBook(ref, nowTs);
    const [bid, ask] = [book.bids[0]?.price ?? 0, book.asks[0]?.price ?? 1];
    return String(Math.round((ask - bid) * 1e4) / 1e4);
  }

  return { findOpen, toBook, single, price, allPrices, spread };
}
