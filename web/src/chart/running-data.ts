// Running-count chart data: counts so far, forecast percentiles from the API and the linear pace.

import type { CountersRecord, HourlyRecord, PredictionRecord } from '../api/records.ts';
import type { TrailPoint } from '../live/account-state.ts';

export interface RunningData {
  /** Seconds since the epoch, ascending. */
  x: number[];
  count: (number | null)[];
  p5: (number | null)[];
  p50: (number | null)[];
  p95: (number | null)[];
  pace: (number | null)[];
  startS: number;
  endS: number;
  nowS: number;
  countNow: number;
  /** Highest value in the whole window. */
  top: number;
  paceAtEnd: number | null;
}

export interface RunningInputs {
  record: Pick<CountersRecord, 'start_ts' | 'end_ts' | 'real_counter'>;
  hourly: HourlyRecord | null;
  trail: readonly TrailPoint[];
  forecast: PredictionRecord['forecast'] | null;
  nowTs: number;
}

const HOUR_MS = 3_600_000;

type FanPoint = NonNullable<NonNullable<PredictionRecord['forecast']>['path']>[number];

/** Values at one point in time, later transposed into the chart's columns. */
interface Row {
  ts: number;
  count: number | null;
  fan: FanPoint | null;
}

export function buildRunningData({ record, hourly, trail, forecast, nowTs }: RunningInputs): RunningData {
  const nowMs = Math.min(Math.max(nowTs, record.start_ts), record.end_ts);
  const paceAtEnd = computePace(record, nowMs);
  const isOpen = nowMs < record.end_ts && record.real_counter !== null;
  const fan = forecast && isOpen ? listFan(forecast, record.end_ts, nowMs) : [];
  const past = joinPast(record, hourly, trail, nowMs).map((point) => ({ ...point, fan: null }));
  const now: Row[] = isOpen ? [{ ts: nowMs, count: record.real_counter, fan: null }] : [];
  const rows = mergeRows([...past, ...now, ...fan, ...closingRow(record.end_ts, isOpen, fan)]);
  return {
    x: rows.map((row) => row.ts / 1000),
    count: rows.map((row) => row.count),
    p5: rows.map((row) => row.fan?.p5 ?? null),
    p50: rows.map((row) => row.fan?.p50 ?? null),
    p95: rows.map((row) => row.fan?.p95 ?? null),
    pace: rows.map((row) => (isOpen ? paceAt(row.ts, record, nowMs, paceAtEnd) : null)),
    startS: record.start_ts / 1000,
    endS: record.end_ts / 1000,
    nowS: nowMs / 1000,
    countNow: record.real_counter ?? 0,
    top: Math.max(10, record.real_counter ?? 0, isOpen ? (forecast?.p95 ?? 0) : 0, paceAtEnd ?? 0),
    paceAtEnd,
  };
}

/** Uses only points from the API: the last one before now and all later ones. */
function listFan(forecast: NonNullable<RunningInputs['forecast']>, endTs: number, nowMs: number): Row[] {
  const { p5, p50, p95, path = [{ ts: endTs, p5, p50, p95 }] } = forecast;
  const first = path.findLastIndex((point) => point.ts <= nowMs);
  return path.slice(Math.max(0, first)).map((point) => ({ ts: point.ts, count: null, fan: point }));
}

/** Extends the pace to the close even without a fan. */
function closingRow(endTs: number, isOpen: boolean, fan: readonly Row[]): Row[] {
  return isOpen && fan.length === 0 ? [{ ts: endTs, count: null, fan: null }] : [];
}

/** Sorts by time and merges rows with the same time. */
function mergeRows(rows: Row[]): Row[] {
  const merged: Row[] = [];
  for (const row of rows.sort((a, b) => a.ts - b.ts)) {
    const last = merged.at(-1);
    if (last?.ts !== row.ts) merged.push({ ...row });
    else Object.assign(last, { count: row.count ?? last.count, fan: row.fan ?? last.fan });
  }
  return merged;
}

function paceAt(
  ts: number,
  record: RunningInputs['record'],
  nowMs: number,
  paceAtEnd: number | null,
): number | null {
  if (paceAtEnd === null || ts < nowMs) return null;
  const from = record.real_counter ?? 0;
  return from + ((paceAtEnd - from) * (ts - nowMs)) / (record.end_ts - nowMs);
}

/** Joins hourly totals with every change observed since the page was opened. */
function joinPast(
  record: RunningInputs['record'],
  hourly: HourlyRecord | null,
  trail: readonly TrailPoint[],
  nowMs: number,
): TrailPoint[] {
  const hours = sumHours(record.start_ts, hourly, nowMs);
  const lastHourTs = hours.at(-1)?.ts ?? record.start_ts;
  const seen = trail.filter((point) => point.ts > lastHourTs && point.ts < nowMs);
  return [...hours, ...seen];
}

function sumHours(startTs: number, hourly: HourlyRecord | null, nowMs: number): TrailPoint[] {
  // Without hourly data, draw no line for the past.
  if (!hourly) return [];
  const points: TrailPoint[] = [{ ts: startTs, count: 0 }];
  let count = 0;
  for (const cell of hourly.hours) {
    count += cell.counted;
    const ts = cell.start_ts + HOUR_MS;
    if (ts > nowMs) break;
    if (ts > startTs) points.push({ ts, count });
  }
  return points;
}

function computePace(record: RunningInputs['record'], nowMs: number): number | null {
  const elapsed = nowMs - record.start_ts;
  if (record.real_counter === null || elapsed < HOUR_MS) return null;
  return (record.real_counter / elapsed) * (record.end_ts - record.start_ts);
}
