// Order books over HTTP: books, price histories, and what clients read before placing an order.

import type { SimulatedExchange } from '../exchange/simulated-exchange.ts';
import { tickAt } from '../exchange/simulated-markets.ts';
import type { MarketRef, SimulatorState } from '../simulator-state.ts';
import { type BookSummary, summariseBook, toWorstFirst } from '../trading/token-book.ts';
import { type Answer, failure, matchPath, ok, readInteger, type SimulatorRequest } from './answer.ts';
import { createClobMarkets } from './clob-markets.ts';
import { CLOSED_STEP_MINUTES, listPoints, readSpan, refuseLongSpan } from './price-history.ts';

const NO_BOOK = { error: 'No orderbook exists for the requested token id' };

export function createClobApi(state: SimulatorState, exchange: SimulatedExchange) {
  const { condition, marketInfo, marketByToken } = createClobMarkets(state);

  function isClosed({ book, event, market }: MarketRef, nowTs: number): boolean {
    return book.prices(event, nowTs)[market.index]!.closedTs !== null;
  }

  /** null for a token without a book (unknown or closed). */
  function findOpen(tokenId: string, nowTs: number): MarketRef | null {
    const ref = state.findToken(tokenId, nowTs);
    if (!ref || isClosed(ref, nowTs)) return null;
    return state.faults.hits('clob-no-book', nowTs) ? null : ref;
  }

  function toBook(ref: MarketRef, nowTs: number): BookSummary {
    const { book, last } = exchange.readBook(ref, nowTs);
    const isGhost = state.faults.hits('clob-ghost-book', nowTs);
    const levels = {
      bids: isGhost ? [{ price: '0.01', size: '100' }] : toWorstFirst(book.bids),
      asks: isGhost ? [{ price: '0.99', size: '100' }] : toWorstFirst(book.asks),
    };
    return summariseBook(ref, levels, { tick: tickAt(state, ref.event.tick, nowTs), last, nowTs });
  }

  function single(query: URLSearchParams, nowTs: number, run: (ref: MarketRef) => unknown): Answer {
    const tokenId = query.get('token_id');
    if (!tokenId || !/^\d+$/.test(tokenId)) return failure(400, { error: 'Invalid token id' });
    const ref = findOpen(tokenId, nowTs);
    return ref ? ok(run(ref)) : failure(404, NO_BOOK);
  }

  async function pricesHistory(query: URLSearchParams, nowTs: number): Promise<Answer> {
    const tokenId = query.get('market');
    if (!tokenId) return failure(400, { error: 'Invalid token id' });
    const [startS, endS] = ['startTs', 'endTs'].map((name) => readInteger(query.get(name), 0));
    const refusal = refuseLongSpan(startS!, endS!);
    if (refusal) return refusal;
    const span = readSpan(query.get('interval'), startS!, endS!, nowTs);
    const stepMinutes = readInteger(query.get('fidelity'), 1);
    const ref = state.findToken(tokenId, nowTs);
    if (stepMinutes < CLOSED_STEP_MINUTES && ref && isClosed(ref, nowTs)) return ok({ history: [] });
    return ok({ history: await listPoints(state, tokenId, { ...span, stepMinutes }, nowTs) });
  }

  async function post({ path, body }: SimulatorRequest, nowTs: number): Promise<Answer> {
    if (path !== '/books') return failure(404, { error: 'not found' });
    const list = await body();
    if (!Array.isArray(list)) return failure(400, { error: 'Invalid payload' });
    if (list.length > 500) return failure(400, { error: 'Payload exceeds the limit' });
    const refs = list.map((item: { token_id: string }) => findOpen(item.token_id, nowTs));
    return ok(refs.filter((ref) => ref !== null).map((ref) => toBook(ref, nowTs)));
  }

  async function get({ path, query }: SimulatorRequest, nowTs: number): Promise<Answer> {
    switch (path) {
      case '/book':
        return single(query, nowTs, (ref) => toBook(ref, nowTs));
      case '/prices-history':
        return pricesHistory(query, nowTs);
      case '/tick-size':
        return single(query, nowTs, (ref) => ({ minimum_tick_size: tickAt(state, ref.event.tick, nowTs) }));
      case '/neg-risk':
        return single(query, nowTs, (ref) => ({ neg_risk: ref.event.isNegRisk }));
      case '/fee-rate':
        return single(query, nowTs, () => ({ base_fee: 1000 }));
      case '/version':
        return ok({ version: 2 });
      case '/time':
        return ok(Math.floor(nowTs / 1000));
    }
    const market = matchPath('/markets/:id', path);
    if (market) return condition(market.id!, nowTs);
    const info = matchPath('/clob-markets/:id', path);
    if (info) return marketInfo(info.id!, nowTs);
    const token = matchPath('/markets-by-token/:id', path);
    if (token) return marketByToken(token.id!, nowTs);
    if (matchPath('/fees/builder-fees/:code', path))
      return ok({ builder_maker_fee_rate_bps: 0, builder_taker_fee_rate_bps: 0 });
    return failure(404, { error: 'not found' });
  }

  return {
    async handle(request: SimulatorRequest): Promise<Answer> {
      const nowTs = state.now();
      const traded = await exchange.handle(request);
      if (traded) return traded;
      if (request.method === 'POST') return post(request, nowTs);
      return request.method === 'GET' ? get(request, nowTs) : failure(405, { error: 'method not allowed' });
    },
  };
}
