// Wallets and resolutions over HTTP, API version 2: every response in an envelope, every list paged by
// cursor.

import { canonicalConditionId } from '../platform-ids.ts';
import type { SimulatorState } from '../simulator-state.ts';
import { type Holding, holdingsOf } from '../trading/wallets.ts';
import { type Answer, readInteger, type SimulatorRequest, toIso } from './answer.ts';
import { dataPage, readCursor, refuse, WRONG_CURSOR, writeCursor } from './data-answer.ts';
import { priceHistory } from './price-history.ts';
import { resolutionsOf } from './resolutions.ts';

export interface DataApi {
  handle(request: SimulatorRequest): Promise<Answer>;
}

const DEFAULT_PAGE = 100;
const MAX_PAGE = 500;

export function createDataApi(state: SimulatorState): DataApi {
  function positions(query: URLSearchParams, nowTs: number): Answer {
    const wallet = (query.get('user') ?? '').toLowerCase();
    if (!/^0x[0-9a-f]{40}$/.test(wallet)) return refuse(400, 'user is not an address', 'user');
    const status = query.get('status') ?? 'OPEN';
    const isListed = LISTED[status];
    if (!isListed) return refuse(400, `unknown status: ${status}`, 'status');
    const rows = holdingsOf(state, wallet, nowTs)
      .filter(isListed)
      .map((holding) => toPosition(wallet, holding, nowTs))
      .sort((left, right) => right.current_value - left.current_value || compare(left, right));
    return toPage(query, `positions:${wallet}:${status}`, rows);
  }

  return {
    async handle({ method, path, query }) {
      const nowTs = state.now();
      if (method !== 'GET') return refuse(405, 'method not allowed');
      if (query.has('offset')) return refuse(400, 'unknown query parameter: offset', 'offset');
      if (path === '/v2/positions') return positions(query, nowTs);
      if (path === '/v2/resolutions') return resolutionsOf(state, query, nowTs);
      if (path === '/v2/prices-history') return priceHistory(state, query, nowTs);
      return refuse(404, 'not found');
    },
  };
}

const hasLost = ({ isRedeemable, currentPrice }: Holding) => isRedeemable && currentPrice === 0;

/** Holdings by status: OPEN includes redeemable ones with value and excludes losers. */
const LISTED: Readonly<Record<string, (holding: Holding) => boolean>> = {
  OPEN: (holding) => !hasLost(holding),
  REDEEMABLE: (holding) => holding.isRedeemable && !hasLost(holding),
  REDEEMABLE_LOST: hasLost,
  MERGEABLE: () => false,
  CLOSED: () => false,
};

function toPage(query: URLSearchParams, walk: string, rows: readonly unknown[]): Answer {
  const cursor = query.get('cursor');
  const start =
    cursor === null
      ? { at: 0, limit: readLimit(query) }
      : readCursor<{ at: number; limit: number }>(cursor, walk);
  if (!start) return refuse(400, WRONG_CURSOR, 'cursor');
  const end = start.at + start.limit;
  const cursorAfter = end < rows.length ? writeCursor(walk, { at: end, limit: start.limit }) : null;
  return dataPage(rows.slice(start.at, end), start.limit, cursorAfter);
}

function readLimit(query: URLSearchParams): number {
  return Math.min(MAX_PAGE, Math.max(1, readInteger(query.get('limit'), DEFAULT_PAGE)));
}

interface PositionRow extends Record<string, unknown> {
  token_id: string;
  current_value: number;
}

function compare(left: PositionRow, right: PositionRow): number {
  return left.token_id < right.token_id ? -1 : 1;
}

/** Absent values are empty strings, or 999 for an outcome's index. */
function toPosition(wallet: string, holding: Holding, nowTs: number): PositionRow {
  const { ref, shares, avgPrice, currentPrice } = holding;
  const { event, market, side } = ref;
  const cost = round(shares * avgPrice);
  const currentValue = round(shares * currentPrice);
  const pnl = round(currentValue - cost);
  return {
    proxy_wallet: wallet,
    token_id: market.tokenIds[side],
    condition_id: canonicalConditionId(market.conditionId),
    current_size: shares,
    avg_price: avgPrice,
    entry_cost_usdc: cost,
    entry_fees_usdc: 0,
    total_cost_usdc: cost,
    current_price: currentPrice,
    current_value: currentValue,
    total_size: shares,
    realized_pnl: 0,
    unrealized_pnl: pnl,
    total_pnl: pnl,
    percent_pnl: cost > 0 ? round((100 * pnl) / cost) : 0,
    percent_realized_pnl: 0,
    // The published schema has no separate status for losers.
    status: holding.isRedeemable ? 'REDEEMABLE' : 'OPEN',
    redeemable: holding.isRedeemable,
    mergeable: false,
    negative_risk: event.isNegRisk,
    archived: event.isArchived,
    title: market.question,
    slug: market.slug,
    icon: event.image,
    event_id: holding.hasEventId ? String(event.eventId) : '',
    event_slug: event.slug,
    outcome: market.outcomes[side],
    outcome_index: side,
    opposite_outcome: market.outcomes[1 - side],
    opposite_token_id: market.tokenIds[1 - side],
    end_date: toIso(event.endTs).slice(0, 10),
    last_event_at: Math.floor(Math.min(nowTs, Math.max(event.startTs, event.listedTs)) / 1000),
    name: '',
    profile_image: '',
    verified: false,
  };
}

function round(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}
