// A token's price history as midpoints, for the order book API and the data API.

import { setImmediate } from 'node:timers/promises';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/domain/units.ts';
import type { SimulatorState } from '../simulator-state.ts';
import { midOf } from '../trading/token-book.ts';
import { type Answer, failure, ok, readInteger } from './answer.ts';

const INTERVALS_MS: Record<string, number> = {
  '1h': HOUR_MS,
  '6h': 6 * HOUR_MS,
  '1d': DAY_MS,
  '1w': 7 * DAY_MS,
  '1m': 30 * DAY_MS,
  max: Infinity,
  all: Infinity,
};
/** Thin books have sparse histories: minimum step and maximum number of points. */
const MIN_STEP_MINUTES = 10;
const MAX_POINTS = 5000;
const POINTS_PER_SLICE = 24;

export interface HistorySpan {
  startTs: number;
  endTs: number;
  stepMinutes: number;
}

/** Works in slices, so that a long history does not delay other responses. */
export async function listPoints(
  state: SimulatorState,
  tokenId: string,
  span: HistorySpan,
  nowTs: number,
): Promise<{ t: number; p: number }[]> {
  const ref = state.findToken(tokenId, nowTs);
  if (!ref) return [];
  const settledTs = ref.book.settledTs(ref.event, nowTs) ?? nowTs;
  const fromTs = Math.max(span.startTs, ref.event.listedTs, state.options.anchorTs);
  const untilTs = Math.min(span.endTs, settledTs, nowTs);
  const stepMs = Math.max(MIN_STEP_MINUTES, span.stepMinutes) * MINUTE_MS;
  const points: { t: number; p: number }[] = [];
  for (
    let ts = Math.ceil(fromTs / stepMs) * stepMs;
    ts <= untilTs && points.length < MAX_POINTS;
    ts += stepMs
  ) {
    points.push({ t: Math.floor(ts / 1000), p: midOf(state, ref, ts) });
    if (points.length % POINTS_PER_SLICE === 0) await setImmediate();
  }
  return points;
}

/** Explicit times take precedence; otherwise the interval up to now. */
export function readSpan(
  interval: string | null,
  startS: number,
  endS: number,
  nowTs: number,
): { startTs: number; endTs: number } {
  if (startS > 0 || endS > 0) return { startTs: startS * 1000, endTs: endS > 0 ? endS * 1000 : nowTs };
  return { startTs: nowTs - (INTERVALS_MS[interval ?? 'max'] ?? Infinity), endTs: nowTs };
}

/** Both APIs reject longer spans. */
const MAX_SPAN_S = (15 * DAY_MS) / 1000;
/** Finest step for closed markets in the order book API. */
export const CLOSED_STEP_MINUTES = 12 * 60;

export function refuseLongSpan(startS: number, endS: number): Answer | null {
  if (startS <= 0 || endS <= 0 || endS - startS <= MAX_SPAN_S) return null;
  return failure(400, { error: "invalid filters: 'startTs' and 'endTs' interval is too long" });
}

/** The data API's format. Everything fits on one page here. */
export async function priceHistory(
  state: SimulatorState,
  query: URLSearchParams,
  nowTs: number,
): Promise<Answer> {
  const tokenId = query.get('token_id');
  if (!tokenId || !/^\d+$/.test(tokenId)) return failure(400, { error: 'token_id is not a token' });
  const stepMinutes = Math.ceil(readInteger(query.get('bucket_seconds'), 60) / 60);
  const [startS, endS] = [readInteger(query.get('start'), 0), readInteger(query.get('end'), 0)];
  const refusal = refuseLongSpan(startS, endS);
  if (refusal) return refusal;
  const span = readSpan(query.get('interval'), startS, endS, nowTs);
  const resolution = Math.max(MIN_STEP_MINUTES, stepMinutes) * 60;
  const points = await listPoints(state, tokenId, { ...span, stepMinutes }, nowTs);
  return ok({
    data: points.map(({ t, p }) => ({ timestamp: t, price: p, resolution_seconds: resolution })),
    pagination: { limit: MAX_POINTS, offset: 0, has_more: false, next_cursor: null },
  });
}
