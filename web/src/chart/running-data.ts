// Columns for the running-count plot: what was counted, then straight lines to what is expected at the close.

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
  /** Highest value that the whole window needs. */
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

const FAN_STEPS = 24;
const HOUR_MS = 3_600_000;

export function buildRunningData({ record, hourly, trail, forecast, nowTs }: RunningInputs): RunningData {
  const nowMs = Math.min(Math.max(nowTs, record.start_ts), record.end_ts);
  const past = joinPast(record, hourly, trail, nowMs);
  const paceAtEnd = computePace(record, nowMs);
  const ahead = nowMs < record.end_ts && record.real_counter !== null ? FAN_STEPS : 0;
  const fan = forecast && ahead ? forecast : null;
  const data: RunningData = {
    x: past.map((point) => point.ts / 1000),
    count: past.map((point) => point.count),
    p5: past.map(() => null),
    p50: past.map(() => null),
    p95: past.map(() => null),
    pace: past.map(() => null),
    startS: record.start_ts / 1000,
    endS: record.end_ts / 1000,
    nowS: nowMs / 1000,
    countNow: record.real_counter ?? 0,
    top: Math.max(10, record.real_counter ?? 0, fan?.p95 ?? 0, paceAtEnd ?? 0),
    paceAtEnd,
  };
  appendAhead(data, { from: record.real_counter ?? 0, steps: ahead, fan, paceAtEnd });
  return data;
}

interface Ahead {
  from: number;
  steps: number;
  fan: PredictionRecord['forecast'] | null;
  paceAtEnd: number | null;
}

function appendAhead(data: RunningData, { from, steps, fan, paceAtEnd }: Ahead): void {
  if (steps === 0) return;
  const toward = (end: number | null | undefined, share: number) =>
    end === null || end === undefined ? null : from + (end - from) * share;
  for (let step = 0; step <= steps; step++) {
    const share = step / steps;
    data.x.push(data.nowS + (data.endS - data.nowS) * share);
    data.count.push(step === 0 ? from : null);
    data.p5.push(toward(fan?.p5, share));
    data.p50.push(toward(fan?.p50, share));
    data.p95.push(toward(fan?.p95, share));
    data.pace.push(toward(paceAtEnd, share));
  }
}

/** Hour totals first; from where this page began to watch, every change as it was seen. */
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
  // Without the hours the way up is unknown: it is left blank rather than drawn.
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
