// The order books over HTTP: books, prices, midpoints, histories, and market details.

import type { SimulatedExchange } from '../exchange/simulated-exchange.ts';
import { tickAt } from '../exchange/simulated-markets.ts';
import type { MarketRef, SimulatorState } from '../simulator-state.ts';
import { type BookSummary, midOf, summariseBook, toWorstFirst } from '../trading/token-book.ts';
import { type Answer, failure, matchPath, ok, readInteger, type SimulatorRequest, toIso } from './answer.ts';
import { CLOSED_STEP_MINUTES, listPoints, readSpan, refuseLongSpan } from './price-history.ts';

export interface ClobApi {
  handle(request: SimulatorRequest): Promise<Answer>;
}

const NO_BOOK = { error: 'No orderbook exists for the requested token id' };
const MARKETS_PER_PAGE = 1_000;
/** 0 in base 64. */
const FIRST_PAGE = 'MA==';

export function createClobApi(state: SimulatorState, exchange: SimulatedExchange): ClobApi {
  /** null for a token without a book: unknown, or closed. */
  function findOpen(tokenId: string | null, nowTs: number): MarketRef | null {
    const ref = tokenId ? state.findToken(tokenId, nowTs) : null;
    if (!ref || ref.book.prices(ref.event, nowTs)[ref.market.index]!.closedTs !== null) return null;
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

  async function pricesHistory(query: URLSearchParams, nowTs: number): Promise<Answer> {
    const tokenId = query.get('market');
    if (!tokenId) return failure(400, { error: 'Invalid token id' });
    const [startS, endS] = ['startTs', 'endTs'].map((name) => readInteger(query.get(name), 0));
    const refusal = refuseLongSpan(startS!, endS!);
    if (refusal) return refusal;
    const span = readSpan(query.get('interval'), startS!, endS!, nowTs);
    const stepMinutes = readInteger(query.get('fidelity'), 1);
    if (stepMinutes < CLOSED_STEP_MINUTES && isClosed(tokenId, nowTs)) return ok({ history: [] });
    return ok({ history: await listPoints(state, tokenId, { ...span, stepMinutes }, nowTs) });
  }

  function isClosed(tokenId: string, nowTs: number): boolean {
    const ref = state.findToken(tokenId, nowTs);
    return ref !== null && ref.book.prices(ref.event, nowTs)[ref.market.index]!.closedTs !== null;
  }

  async function batchHistory(body: unknown, nowTs: number): Promise<Answer> {
    const wanted = body as {
      markets?: string[];
      start_ts?: number;
      end_ts?: number;
      interval?: string;
      fidelity?: number;
    } | null;
    const markets = wanted?.markets ?? [];
    if (markets.length > 20) return failure(400, { error: 'Payload exceeds the limit' });
    const { start_ts = 0, end_ts = 0, interval = null, fidelity = 1 } = wanted ?? {};
    const span = { ...readSpan(interval, start_ts, end_ts, nowTs), stepMinutes: fidelity };
    const entries: [string, unknown][] = [];
    for (const token of markets) entries.push([token, await listPoints(state, token, span, nowTs)]);
    return ok({ history: Object.fromEntries(entries) });
  }

  function condition(id: string, nowTs: number): Answer {
    const ref = state.findCondition(id, nowTs);
    return ref ? ok(toMarket(ref, nowTs)) : failure(404, { error: 'market not found' });
  }

  /** Every market by offset cursor; the last page has LTE=, which is -1. */
  function markets(query: URLSearchParams, nowTs: number): Answer {
    const at = Number(Buffer.from(query.get('next_cursor') ?? FIRST_PAGE, 'base64').toString());
    if (!Number.isSafeInteger(at) || at < 0) return failure(400, { error: 'Invalid next_cursor' });
    const all = [state.countEvents, state.cryptoEvents].flatMap((book) =>
      book
        .list(nowTs)
        .flatMap((event) =>
          book.markets(event).map((market): MarketRef => ({ book, event, market, side: 0 })),
        ),
    );
    const data = all.slice(at, at + MARKETS_PER_PAGE).map((ref) => toMarket(ref, nowTs));
    const next = at + data.length < all.length ? at + data.length : -1;
    const next_cursor = Buffer.from(String(next)).toString('base64');
    return ok({ limit: MARKETS_PER_PAGE, count: data.length, next_cursor, data });
  }

  function toMarket(ref: MarketRef, nowTs: number): Record<string, unknown> {
    const price = ref.book.prices(ref.event, nowTs)[ref.market.index]!;
    const tokens = ref.market.outcomes.map((outcome, side) => ({
      token_id: ref.market.tokenIds[side],
      outcome,
      price: side === 0 ? price.mid : 1 - price.mid,
      winner: price.winner === side,
    }));
    return {
      condition_id: ref.market.conditionId,
      question: ref.market.question,
      market_slug: ref.market.slug,
      end_date_iso: toIso(ref.event.endTs),
      active: true,
      closed: price.closedTs !== null,
      accepting_orders: price.closedTs === null,
      minimum_order_size: 5,
      minimum_tick_size: tickAt(state, ref.event.tick, nowTs),
      neg_risk: ref.event.isNegRisk,
      tokens,
    };
  }

  /** What clients read before they order: tokens, tick size, fee. */
  function marketInfo(id: string, nowTs: number): Answer {
    const ref = state.findCondition(id, nowTs);
    if (!ref) return failure(404, { error: 'market not found' });
    return ok({
      c: id,
      t: ref.market.outcomes.map((outcome, side) => ({ t: ref.market.tokenIds[side], o: outcome })),
      mts: tickAt(state, ref.event.tick, nowTs),
      mos: 5,
      nr: ref.event.isNegRisk,
      fd: { r: ref.event.fee.rate, e: 1, to: true },
      mbf: 1000,
      tbf: 1000,
      r: null,
      ao: ref.book.prices(ref.event, nowTs)[ref.market.index]!.closedTs === null,
    });
  }

  function marketByToken(tokenId: string, nowTs: number): Answer {
    const ref = state.findToken(tokenId, nowTs);
    if (!ref) return failure(404, { error: 'market not found' });
    const [primary_token_id, secondary_token_id] = ref.market.tokenIds;
    return ok({ condition_id: ref.market.conditionId, primary_token_id, secondary_token_id });
  }

  async function post({ path, body }: SimulatorRequest, nowTs: number): Promise<Answer> {
    const list = await body();
    if (path === '/batch-prices-history') return batchHistory(list, nowTs);
    if (!Array.isArray(list)) return failure(400, { error: 'Invalid payload' });
    if (list.length > 500) return failure(400, { error: 'Payload exceeds the limit' });
    const refs = list
      .map((item: { token_id: string }) => findOpen(item.token_id, nowTs))
      .filter((ref) => ref !== null);
    const token = (ref: MarketRef) => ref.market.tokenIds[ref.side];
    if (path === '/books') return ok(refs.map((ref) => toBook(ref, nowTs)));
    if (path === '/prices') return allPrices(list, nowTs);
    if (path === '/midpoints')
      return ok(Object.fromEntries(refs.map((ref) => [token(ref), String(midOf(state, ref, nowTs))])));
    if (path === '/spreads')
      return ok(Object.fromEntries(refs.map((ref) => [token(ref), spread(ref, nowTs)])));
    return failure(404, { error: 'not found' });
  }

  function spread(ref: MarketRef, nowTs: number): string {
    const { book } = exchange.readBook(ref, nowTs);
    const [bid, ask] = [book.bids[0]?.price ?? 0, book.asks[0]?.price ?? 1];
    return String(Math.round((ask - bid) * 1e4) / 1e4);
  }

  async function get({ path, query }: SimulatorRequest, nowTs: number): Promise<Answer> {
    switch (path) {
      case '/book':
        return single(query, nowTs, (ref) => ok(toBook(ref, nowTs)));
      case '/price':
        return price(query, nowTs);
      case '/prices': {
        const sides = (query.get('sides') ?? '').split(',');
        const tokens = (query.get('token_ids') ?? '').split(',').filter(Boolean);
        return allPrices(
          tokens.map((token_id, i) => ({ token_id, side: sides[i] || sides[0] || 'BUY' })),
          nowTs,
        );
      }
      case '/midpoint':
        return single(query, nowTs, (ref) => ok({ mid: String(midOf(state, ref, nowTs)) }));
      case '/spread':
        return single(query, nowTs, (ref) => ok({ spread: spread(ref, nowTs) }));
      case '/last-trade-price':
        return single(query, nowTs, (ref) =>
          ok({ price: String(exchange.readBook(ref, nowTs).last), side: 'BUY' }),
        );
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
