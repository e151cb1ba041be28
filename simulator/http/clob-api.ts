// Order books over HTTP: books, histories and market details.

import type { SimulatedExchange } from '../exchange/simulated-exchange.ts';
import { tickAt } from '../exchange/simulated-markets.ts';
import type { SimulatorState } from '../simulator-state.ts';
import { type Answer, failure, matchPath, ok, type SimulatorRequest } from './answer.ts';
import { createClobBooks } from './clob-books.ts';
import { createClobHistory } from './clob-history.ts';
import { createClobMarkets } from './clob-markets.ts';

export interface ClobApi {
  handle(request: SimulatorRequest): Promise<Answer>;
}

export function createClobApi(state: SimulatorState, exchange: SimulatedExchange): ClobApi {
  const { findOpen, toBook, single } = createClobBooks(state, exchange);
  const { condition, markets, marketInfo, marketByToken } = createClobMarkets(state);
  const { pricesHistory } = createClobHistory(state);

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
        return single(query, nowTs, (ref) => ok(toBook(ref, nowTs)));
      case '/prices-history':
        return pricesHistory(query, nowTs);
      case '/markets':
        return markets(query, nowTs);
      case '/tick-size':
        return single(query, nowTs, (ref) => ok({ minimum_tick_size: tickAt(state, ref.event.tick, nowTs) }));
      case '/neg-risk':
        return single(query, nowTs, (ref) => ok({ neg_risk: ref.event.isNegRisk }));
      case '/fee-rate':
        return single(query, nowTs, () => ok({ base_fee: 1000 }));
      case '/version':
        return ok({ version: 2 });
      case '/time':
        return ok(Math.floor(nowTs / 1000));
      case '/ok':
      case '/':
        return ok('OK');
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
    async handle(request) {
      const nowTs = state.now();
      const traded = await exchange.handle(request);
      if (traded) return traded;
      if (request.method === 'POST') return post(request, nowTs);
      return request.method === 'GET' ? get(request, nowTs) : failure(405, { error: 'method not allowed' });
    },
  };
}
