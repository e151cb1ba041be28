// Market details: one market, by token, and what clients read before placing an order.

import { tickAt } from '../exchange/simulated-markets.ts';
import type { MarketRef, SimulatorState } from '../simulator-state.ts';
import { type Answer, failure, ok, toIso } from './answer.ts';

export function createClobMarkets(state: SimulatorState) {
  function condition(id: string, nowTs: number): Answer {
    const ref = state.findCondition(id, nowTs);
    return ref ? ok(toMarket(ref, nowTs)) : failure(404, { error: 'market not found' });
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

  return { condition, marketInfo, marketByToken };
}
