// A token's price history as midpoints, for the order book API and the data API. What is kept gets coarser
// with age.

import { setImmediate } from 'node:timers/promises';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/domain/units.ts';
import { roundTo } from '../market/quotes.ts';
import type { MarketRef, SimulatorState } from '../simulator-state.ts';
import type { Answer } from './answer.ts';
import { dataPage, readCursor, readParameter, refuse, WRONG_CURSOR, writeCursor } from './data-answer.ts';
import { pastSpan, readPriceRow } from './price-paths.ts';

const INTERVALS_MS: Record<string, number> = {
  '1h': HOUR_MS,
  '6h': 6 * HOUR_MS,
  '1d': DAY_MS,
  '1w': 7 * DAY_MS,
  '1m': 30 * DAY_MS,
  max: Infinity,
  all: Infinity,
};
/** Finest step that is kept, by age. */
const KEPT: readonly { stepMs: number; ageMs: number }[] = [
  { stepMs: MINUTE_MS, ageMs: 7 * DAY_MS },
  { stepMs: 5 * MINUTE_MS, ageMs: 60 * DAY_MS },
  { stepMs: 30 * MINUTE_MS, ageMs: 90 * DAY_MS },
  { stepMs: 3 * HOUR_MS, ageMs: Infinity },
];
const MAX_PAGE = 1_000;
const POINTS_PER_SLICE = 24;

export interface HistorySpan {
  startTs: number;
  endTs: number;
  stepMs: number;
}

export interface HistoryPoint {
  ts: number;
  price: number;
  stepMs: number;
}

/** Works in slices, so that a long history does not delay other responses. */
export async function listPoints(
  state: SimulatorState,
  ref: MarketRef,
  span: HistorySpan,
  nowTs: number,
  maxPoints = Infinity,
): Promise<HistoryPoint[]> {
  const life = pastSpan(state, ref.event, nowTs);
  const untilTs = Math.min(span.endTs, life.toTs);
  const points: HistoryPoint[] = [];
  let rows = 0;
  for (let ts = Math.max(span.startTs, life.fromTs); points.length < maxPoints; ) {
    const stepMs = keptStep(nowTs - ts, span.stepMs);
    ts = Math.ceil(ts / stepMs) * stepMs;
    if (ts > untilTs) break;
    const price = readPriceRow(state, ref.event, ts)[ref.market.index]!;
    // A market that closed before its event has no later points.
    if (price === null) break;
    points.push(onSide({ ts, price, stepMs }, ref));
    ts += stepMs;
    if (++rows % POINTS_PER_SLICE === 0) await setImmediate();
  }
  return points;
}

function onSide(point: HistoryPoint, { side }: MarketRef): HistoryPoint {
  return side === 0 ? point : { ...point, price: roundTo(1 - point.price) };
}

function keptStep(ageMs: number, askedMs: number): number {
  const kept = KEPT.find((tier) => ageMs <= tier.ageMs)!;
  return Math.max(kept.stepMs, askedMs);
}

/** Explicit times take precedence; otherwise the interval up to now. */
export function readSpan(
  interval: string | null,
  startS: number,
  endS: number,
  nowTs: number,
): { startTs: number; endTs: number } {
  if (startS > 0 || endS > 0)
    return { startTs: startS * SECOND_MS, endTs: endS > 0 ? endS * SECOND_MS : nowTs };
  return { startTs: nowTs - (INTERVALS_MS[interval ?? 'max'] ?? Infinity), endTs: nowTs };
}

/** Both APIs reject longer spans. */
export const MAX_SPAN_S = (15 * DAY_MS) / SECOND_MS;

export async function priceHistory(
  state: SimulatorState,
  query: URLSearchParams,
  nowTs: number,
): Promise<Answer> {
  const tokenId = readParameter(query, 'token_id');
  if (!tokenId || !/^\d+$/.test(tokenId)) return refuse(400, 'token_id is not a token', 'token_id');
  const bounds = readBounds(query);
  if ('status' in bounds) return bounds;
  const stepS = readParameter(query, 'bucket_seconds') ?? '60';
  if (!/^[1-9]\d{0,6}$/.test(stepS)) return refuse(400, 'bucket_seconds is not positive', 'bucket_seconds');
  const interval = query.get('interval');
  if (interval !== null && INTERVALS_MS[interval] === undefined)
    return refuse(400, `unknown interval: ${interval}`, 'interval');
  const walk = `prices:${tokenId}:${bounds.startS}:${bounds.endS}:${interval}:${stepS}`;
  const cursor = query.get('cursor');
  const fromTs = cursor === null ? -Infinity : readCursor<number>(cursor, walk);
  if (fromTs === null) return refuse(400, WRONG_CURSOR, 'cursor');
  const ref = state.findToken(tokenId, nowTs);
  if (!ref) return dataPage([], MAX_PAGE, null);
  const asked = readSpan(interval, bounds.startS, bounds.endS, nowTs);
  const span = {
    startTs: Math.max(asked.startTs, fromTs),
    endTs: asked.endTs,
    stepMs: Number(stepS) * SECOND_MS,
  };
  const points = await listPoints(state, ref, span, nowTs, MAX_PAGE + 1);
  const next = points[MAX_PAGE];
  const page = points.slice(0, MAX_PAGE).map(({ ts, price, stepMs }) => ({
    timestamp: Math.floor(ts / SECOND_MS),
    price,
    resolution_seconds: stepMs / SECOND_MS,
  }));
  return dataPage(page, MAX_PAGE, next ? writeCursor(walk, next.ts) : null);
}

function readBounds(query: URLSearchParams): { startS: number; endS: number } | Answer {
  const bounds = { startS: 0, endS: 0 };
  for (const name of ['start', 'end'] as const) {
    const text = query.get(name);
    if (text === null) continue;
    if (!/^[1-9]\d*$/.test(text)) return refuse(400, `${name} is not a time in seconds`, name);
    bounds[`${name}S`] = Number(text);
  }
  const isLong = bounds.startS > 0 && bounds.endS - bounds.startS > MAX_SPAN_S;
  return isLong ? refuse(400, 'start and end are more than 15 days apart', 'start') : bounds;
}
