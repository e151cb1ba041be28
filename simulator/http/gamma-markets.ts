// Markets by token, condition, id and page.

import type { SimulatorState } from '../simulator-state.ts';
import { type Answer, failure, ok, readInteger } from './answer.ts';
import { findAfter, MAX_PAGE, refused, selectEvents, writeCursor } from './gamma-select.ts';
import { toGammaEvent, toGammaMarket } from './gamma-wire.ts';

export function createGammaMarkets(state: SimulatorState) {
  function marketsOf(query: URLSearchParams, nowTs: number): Answer {
    const found = [
      ...query.getAll('clob_token_ids').map((token) => state.findToken(token, nowTs)),
      ...query.getAll('condition_ids').map((condition) => state.findCondition(condition, nowTs)),
      ...query.getAll('id').map((id) => state.findMarket(Number(id), nowTs)),
    ].filter((item) => item !== null);
    return ok(
      found.map(({ book, event, market }) => ({
        ...toGammaMarket(state, event, market, book.prices(event, nowTs)[market.index]!, nowTs),
        description: event.description,
        events: [toGammaEvent(state, event, nowTs, false)],
      })),
    );
  }

  /** Markets of the matching events; the cursor is the last event on the page. */
  function marketsKeyset(query: URLSearchParams, nowTs: number): Answer {
    const wanted = selectEvents(state, query, nowTs);
    const from = findAfter(wanted, query.get('after_cursor'));
    if (from === null) return refused('after_cursor is not valid');
    const limit = Math.min(MAX_PAGE, Math.max(1, readInteger(query.get('limit'), 20)));
    const markets: unknown[] = [];
    let at = from;
    for (; at < wanted.length && markets.length < limit; at++)
      markets.push(...(toGammaEvent(state, wanted[at]!, nowTs).markets as unknown[]));
    return ok({ markets, ...(at < wanted.length ? { next_cursor: writeCursor(wanted[at - 1]!) } : {}) });
  }

  function oneMarket(id: string, nowTs: number): Answer {
    const found = state.findMarket(Number(id), nowTs);
    if (!found) return failure(404, { type: 'not found error', error: 'id not found' });
    const { book, event, market } = found;
    return ok(toGammaMarket(state, event, market, book.prices(event, nowTs)[market.index]!, nowTs));
  }

  return { marketsOf, marketsKeyset, oneMarket };
}
