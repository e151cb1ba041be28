// The data API's list of trades: newest first, both outcomes interleaved, by condition or by event.

import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/domain/units.ts';
import { chance, hashNumbers } from '../chance.ts';
import { listCrowdTrades } from '../exchange/crowd/crowd-flow.ts';
import { flowKey, tradesPerHour } from '../exchange/simulated-markets.ts';
import { type ListedEvent, makeMarketId } from '../market/listed-event.ts';
import { quoteAround, roundTo } from '../market/quotes.ts';
import { canonicalConditionId, makeHex, makeTokenId } from '../platform-ids.ts';
import type { MarketRef, SimulatorState } from '../simulator-state.ts';
import { type Answer, readInteger } from './answer.ts';
import { dataPage, readCursor, readParameter, refuse, WRONG_CURSOR, writeCursor } from './data-answer.ts';
import { pastSpan, readPriceRow } from './price-paths.ts';

const MAX_CONDITIONS = 20;
const MAX_PAGE = 1_000;
const DEFAULT_PAGE = 100;
const KEPT_MS = 3 * 365 * DAY_MS;
/** The edge serves a list for this long before it asks again. */
const CACHED_MS = 5 * MINUTE_MS;
const SALT = 0x7ade;
const MARKETS_KEPT = 400;
/** The list has one in this many of the crowd's prints: enough to show the price path, and quick to read. */
const PRINTS_PER_ROW = 20;
const GRID_MS = HOUR_MS;
/** Between two grid times with a larger move, each print's price is computed at its own time. */
const SMALL_MOVE = 0.02;
const NO_SHARE = 0.4;
const COMBO_SHARE = 0.01;

interface PastPrint {
  ts: number;
  /** Of the Yes share. */
  price: number;
  shares: number;
  isBuy: boolean;
}

interface TradeRow {
  key: [ts: number, id: number];
  ref: MarketRef;
  print: PastPrint;
}

export function createTradeList(state: SimulatorState) {
  const kept = new Map<number, { untilTs: number; rows: TradeRow[] }>();

  /** A settled market's trades never change; an open one's are computed once per cached list. */
  function tradesOf(ref: MarketRef, nowTs: number): TradeRow[] {
    const { marketId } = ref.market;
    const settledTs = state.bookOf(ref.event).settledTs(ref.event, nowTs);
    const known = kept.get(marketId);
    if (known && known.untilTs >= (settledTs ?? nowTs)) return known.rows;
    const rows = listPrints(state, ref, nowTs).map((print): TradeRow => {
      const id = hashNumbers(state.seedKey, marketId, Math.floor(print.ts / SECOND_MS), SALT);
      return { key: [print.ts, id], ref, print };
    });
    kept.delete(marketId);
    if (kept.size >= MARKETS_KEPT) kept.delete(kept.keys().next().value!);
    kept.set(marketId, { untilTs: nowTs, rows });
    return rows;
  }

  return (query: URLSearchParams, nowTs: number): Answer => {
    const asked = readMarkets(state, query, nowTs);
    if ('status' in asked) return asked;
    const limit = Math.min(MAX_PAGE, Math.max(1, readInteger(query.get('limit'), DEFAULT_PAGE)));
    const walk = `trades:${readParameter(query, 'condition')}:${readParameter(query, 'event_id')}`;
    const cursor = query.get('cursor');
    const after = cursor === null ? null : readCursor<TradeRow['key']>(cursor, walk);
    if (cursor !== null && after === null) return refuse(400, WRONG_CURSOR, 'cursor');
    const cachedTs = Math.floor(nowTs / CACHED_MS) * CACHED_MS;
    const rows = asked.refs.flatMap((ref) => tradesOf(ref, cachedTs)).sort(newestFirst);
    const from = after === null ? 0 : rows.findIndex(({ key }) => isAfter(key, after));
    const page = from < 0 ? [] : rows.slice(from, from + limit);
    const last = page.at(-1);
    const hasMore = last !== undefined && from + limit < rows.length;
    return dataPage(
      page.map((row) => toWire(state, row)),
      limit,
      hasMore ? writeCursor(walk, last.key) : null,
    );
  };
}

function newestFirst({ key: [leftTs, left] }: TradeRow, { key: [rightTs, right] }: TradeRow): number {
  return rightTs - leftTs || right - left;
}

function isAfter([ts, id]: TradeRow['key'], [lastTs, lastId]: TradeRow['key']): boolean {
  return ts < lastTs || (ts === lastTs && id < lastId);
}

function readMarkets(
  state: SimulatorState,
  query: URLSearchParams,
  nowTs: number,
): { refs: MarketRef[] } | Answer {
  const [conditions, eventIds] = ['condition', 'event_id'].map((name) =>
    (readParameter(query, name) ?? '').split(',').filter(Boolean),
  );
  if (conditions!.length + eventIds!.length === 0) return refuse(400, 'supply condition or event_id');
  if (conditions!.length > MAX_CONDITIONS || eventIds!.length > MAX_CONDITIONS)
    return refuse(400, `at most ${MAX_CONDITIONS} values`, conditions!.length > 0 ? 'condition' : 'event_id');
  const byEvent = eventIds!.flatMap((id) => {
    const ref = state.findMarket(makeMarketId(Number(id), 0), nowTs);
    return ref ? ref.book.markets(ref.event).map((market) => ({ ...ref, market })) : [];
  });
  const byCondition = conditions!.flatMap((id) => state.findCondition(id, nowTs) ?? []);
  return { refs: [...byEvent, ...byCondition] };
}

function listPrints(state: SimulatorState, ref: MarketRef, nowTs: number): PastPrint[] {
  const { fromTs, toTs } = pastSpan(state, ref.event, nowTs);
  const startTs = Math.max(fromTs, nowTs - KEPT_MS);
  const key = flowKey(state, ref.market.marketId);
  const prints: PastPrint[] = [];
  for (let ts = Math.ceil(startTs / GRID_MS) * GRID_MS; ts < toTs; ts += GRID_MS) {
    const mid = readPriceRow(state, ref.event, ts)[ref.market.index];
    if (mid === null || mid === undefined) break;
    const endTs = Math.min(ts + GRID_MS, toTs);
    const next = endTs < ts + GRID_MS ? null : readPriceRow(state, ref.event, endTs)[ref.market.index]!;
    for (const trade of listCrowdTrades(key, tradesPerHour(mid) / PRINTS_PER_ROW, ts, endTs)) {
      const price = priceAt(ref, trade.ts, mid, next);
      if (price === null) continue;
      const quote = quoteAround(price, ref.event);
      const traded = trade.takes === 'ask' ? quote.ask : quote.bid;
      if (traded === null) continue;
      prints.push({
        ts: trade.ts,
        price: traded,
        shares: trade.sizeMicro / 1e6,
        isBuy: trade.takes === 'ask',
      });
    }
  }
  return prints;
}

function priceAt(
  { book, event, market }: MarketRef,
  ts: number,
  mid: number,
  next: number | null,
): number | null {
  if (next === null || Math.abs(next - mid) > SMALL_MOVE) {
    const price = book.prices(event, ts)[market.index]!;
    return price.closedTs === null ? price.mid : null;
  }
  return mid + ((next - mid) * (ts % GRID_MS)) / GRID_MS;
}

/** A combo has other tokens, and a condition id one byte shorter than a market's. */
function toWire(state: SimulatorState, { key: [ts, id], ref, print }: TradeRow): Record<string, unknown> {
  const { event, market } = ref;
  const isNo = chance(id, 1) < NO_SHARE;
  const side = isNo ? 1 : 0;
  const isCombo = chance(id, 2) < COMBO_SHARE;
  const isBuy = print.isBuy !== isNo;
  return {
    proxy_wallet: `0x${makeHex(state.seedKey, hashNumbers(id, 3), 40)}`,
    side: isBuy ? 'BUY' : 'SELL',
    token_id: isCombo ? makeTokenId(id, market.marketId, side) : market.tokenIds[side],
    condition_id: isCombo ? `0x03${makeHex(id, 4, 60)}` : canonicalConditionId(market.conditionId),
    size: print.shares,
    price: isNo ? roundTo(1 - print.price) : print.price,
    timestamp: Math.floor(ts / SECOND_MS),
    ...texts(event, market.question, market.slug),
    outcome: market.outcomes[side],
    outcome_index: side,
    transaction_hash: `0x${makeHex(state.seedKey, hashNumbers(id, 5), 64)}`,
  };
}

function texts(event: ListedEvent, title: string, slug: string): Record<string, string> {
  const unknown = { name: '', pseudonym: '', bio: '', profile_image: '', profile_image_optimized: '' };
  return { title, slug, icon: event.image, event_slug: event.slug, ...unknown };
}
