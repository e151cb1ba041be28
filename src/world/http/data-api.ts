// Wallets over HTTP: positions with their threshold, sorting and paging, and the total value.

import { type Holding, holdingsOf } from '../market/wallets.ts';
import type { WorldState } from '../world-state.ts';
import { type Answer, failure, ok, readInteger, toIso, type WorldRequest } from './answer.ts';

export interface DataApi {
  handle(request: WorldRequest): Promise<Answer>;
}

const SORT_KEYS: Record<string, string> = {
  TOKENS: 'size',
  CURRENT: 'currentValue',
  INITIAL: 'initialValue',
  CASHPNL: 'cashPnl',
  PERCENTPNL: 'percentPnl',
  PRICE: 'curPrice',
  AVGPRICE: 'avgPrice',
};

export function createDataApi(state: WorldState): DataApi {
  function positions(wallet: string, query: URLSearchParams, nowTs: number): Answer {
    const threshold = query.has('sizeThreshold') ? Number(query.get('sizeThreshold')) : 1;
    const limit = Math.min(500, Math.max(0, readInteger(query.get('limit'), 100)));
    const offset = readInteger(query.get('offset'), 0);
    if (offset < 0 || offset > 10_000 || Number.isNaN(threshold))
      return failure(400, { error: 'invalid query parameters' });
    const conditions = (query.get('market') ?? '').split(',').filter(Boolean);
    const events = (query.get('eventId') ?? '').split(',').filter(Boolean);
    const rows = holdingsOf(state, wallet, nowTs)
      .filter((holding) => holding.shares >= threshold)
      .filter(({ ref }) => conditions.length === 0 || conditions.includes(ref.market.conditionId))
      .filter(({ ref }) => events.length === 0 || events.includes(String(ref.event.eventId)))
      .filter(
        (holding) =>
          !query.has('redeemable') || (query.get('redeemable') === 'true') === holding.isRedeemable,
      )
      .map((holding) => toPosition(wallet, holding));
    return ok(sortRows(rows, query).slice(offset, offset + limit));
  }

  function value(wallet: string, nowTs: number): Answer {
    const total = holdingsOf(state, wallet, nowTs).reduce(
      (sum, one) => sum + one.shares * one.currentPrice,
      0,
    );
    return ok([{ user: wallet, value: round(total) }]);
  }

  return {
    async handle({ method, path, query }) {
      const nowTs = state.now();
      if (method !== 'GET') return failure(405, { error: 'method not allowed' });
      const wallet = (query.get('user') ?? '').toLowerCase();
      if (!/^0x[0-9a-f]{40}$/.test(wallet)) {
        return failure(400, {
          error: wallet ? "invalid 'user' address" : "required query param 'user' not provided",
        });
      }
      if (path === '/positions') return positions(wallet, query, nowTs);
      if (path === '/value') return value(wallet, nowTs);
      if (path === '/trades' || path === '/activity' || path === '/closed-positions') return ok([]);
      return failure(404, { error: 'not found' });
    },
  };
}

function sortRows(rows: Record<string, unknown>[], query: URLSearchParams): Record<string, unknown>[] {
  const key = SORT_KEYS[query.get('sortBy')?.toUpperCase() ?? 'TOKENS'] ?? 'size';
  const sign = query.get('sortDirection')?.toUpperCase() === 'ASC' ? 1 : -1;
  return rows.sort((left, right) => sign * (Number(left[key]) - Number(right[key])));
}

function toPosition(wallet: string, holding: Holding): Record<string, unknown> {
  const { ref, shares, avgPrice, currentPrice } = holding;
  const { event, market, side } = ref;
  const initialValue = round(shares * avgPrice);
  const currentValue = round(shares * currentPrice);
  return {
    proxyWallet: wallet,
    asset: market.tokenIds[side],
    conditionId: market.conditionId,
    size: shares,
    avgPrice,
    initialValue,
    currentValue,
    cashPnl: round(currentValue - initialValue),
    percentPnl: initialValue > 0 ? round((100 * (currentValue - initialValue)) / initialValue) : 0,
    totalBought: shares,
    realizedPnl: 0,
    percentRealizedPnl: 0,
    curPrice: currentPrice,
    redeemable: holding.isRedeemable,
    mergeable: false,
    title: market.question,
    slug: market.slug,
    icon: event.image,
    eventSlug: event.slug,
    ...(holding.hasEventId ? { eventId: String(event.eventId) } : {}),
    outcome: market.outcomes[side],
    outcomeIndex: side,
    oppositeOutcome: market.outcomes[1 - side],
    oppositeAsset: market.tokenIds[1 - side],
    endDate: toIso(event.endTs).slice(0, 10),
    negativeRisk: event.isNegRisk,
  };
}

function round(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}
