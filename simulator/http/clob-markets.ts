// Market details: one market, all markets, by token, and what clients read before placing an order.

import { tickAt } from '../exchange/simulated-markets.ts';
import type { MarketRef, SimulatorState } from '../simulator-state.ts';
import { type Answer, failure, ok, toIso } from './answer.ts';

const MARKETS_PER_PAGE = 1_000;
/** 0 in base64. */
const FIRST_PAGE = 'MA==';

export function createClobMarkets(state: SimulatorState) {
  function condition(id: string, nowTs: number): Answer {
    const ref = state.findCondition(id, nowTs);
    return ref ? ok(toMarket(ref, nowTs)) : failure(404, { error: 'market not found' });
  }

  /** Lists every market by offset cursor; the last page has LTE=, which encodes -1. */
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

  /** What clients read before placing an order: tokens, tick size, fee. */
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

  return { condition, markets, marketInfo, marketByToken };
}
