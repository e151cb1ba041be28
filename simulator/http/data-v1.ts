// Wallets over HTTP, API version 1: plain lists in camelCase, paged by offset. The service does not use it, but
// libraries of others still do.

import { canonicalConditionId } from '../platform-ids.ts';
import type { SimulatorState } from '../simulator-state.ts';
import { type Holding, holdingsOf } from '../trading/wallets.ts';
import { type Answer, failure, ok, readInteger, toIso } from './answer.ts';

const DEFAULT_PAGE = 100;
const MAX_PAGE = 500;
const MAX_OFFSET = 10_000;

export function answerFirstVersion(
  state: SimulatorState,
  path: string,
  query: URLSearchParams,
  nowTs: number,
): Answer | null {
  if (path !== '/positions' && path !== '/value') return null;
  const wallet = (query.get('user') ?? '').toLowerCase();
  if (!/^0x[0-9a-f]{40}$/.test(wallet)) return failure(400, { error: 'user is not an address' });
  const holdings = holdingsOf(state, wallet, nowTs);
  if (path === '/value') return ok([{ user: wallet, value: round(totalOf(holdings)) }]);
  const offset = readInteger(query.get('offset'), 0);
  if (offset < 0 || offset > MAX_OFFSET) return failure(400, { error: 'offset is out of range' });
  const limit = Math.min(MAX_PAGE, Math.max(1, readInteger(query.get('limit'), DEFAULT_PAGE)));
  return ok(holdings.slice(offset, offset + limit).map((holding) => toPosition(wallet, holding)));
}

function totalOf(holdings: readonly Holding[]): number {
  return holdings.reduce((sum, { shares, currentPrice }) => sum + shares * currentPrice, 0);
}

function toPosition(wallet: string, holding: Holding): Record<string, unknown> {
  const { ref, shares, avgPrice, currentPrice } = holding;
  const { event, market, side } = ref;
  const initialValue = round(shares * avgPrice);
  const currentValue = round(shares * currentPrice);
  return {
    proxyWallet: wallet,
    asset: market.tokenIds[side],
    conditionId: canonicalConditionId(market.conditionId),
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
    eventId: String(event.eventId),
    eventSlug: event.slug,
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
