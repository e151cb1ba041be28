// Parses a file of past prices: ts, start_ts, end_ts, bucket, lo, hi, price_yes[, ask, bid, size]; one line
// per bucket and time. Other common column names are accepted too. Errors include the line number.

import { CsvError, type CsvRow, locateNames, readCsv } from '../../domain/csv.ts';
import type { CountWindow } from '../../domain/market-event.ts';
import { INSTANT_MS } from './past-moments.ts';

export const PRICE_COLUMNS = ['ts', 'start_ts', 'end_ts', 'bucket', 'lo', 'hi', 'price_yes'];
const ALIASES: Readonly<Record<string, string>> = {
  window_start_ts: 'start_ts',
  window_end_ts: 'end_ts',
  bucket_lo: 'lo',
  bucket_hi: 'hi',
  yes_price: 'price_yes',
};
/** A bucket without a label is labelled with its range. */
const REQUIRED = PRICE_COLUMNS.filter((name) => name !== 'bucket');

export interface PricePoint {
  label: string;
  lo: number;
  /** null for the open top bucket. */
  hi: number | null;
  price: number;
  /** null if the file has no value. */
  ask: number | null;
  bid: number | null;
  size: number | null;
}

/** All buckets of one event at one time, in ascending order. */
export interface LadderSnapshot {
  ts: number;
  window: CountWindow;
  points: PricePoint[];
}

/** Whether the buckets are contiguous, from one that starts at or below the count up to an open top. */
export function isWholeLadder({ points }: LadderSnapshot, count: number): boolean {
  const isContiguous = points.every((point, i) => {
    const next = points[i + 1];
    return next ? point.hi !== null && next.lo === point.hi + 1 : point.hi === null;
  });
  return points.length > 1 && isContiguous && points[0]!.lo <= count;
}

export function parsePrices(text: string): LadderSnapshot[] {
  const snapshots = new Map<string, LadderSnapshot[]>();
  for (const row of readCsv(text, locateNames(REQUIRED, ALIASES)).rows) {
    const ts = row.integer('ts');
    const window = { startTs: row.integer('start_ts'), endTs: row.integer('end_ts') };
    if (window.endTs <= window.startTs) throw new CsvError(row.line, 'end_ts is not after start_ts');
    const key = `${window.startTs} ${window.endTs}`;
    const ladders = snapshots.get(key) ?? [];
    const same = ladders.findLast((ladder) => Math.abs(ladder.ts - ts) < INSTANT_MS);
    const snapshot = same ?? { ts, window, points: [] };
    snapshot.ts = Math.max(snapshot.ts, ts);
    snapshot.points.push(readPoint(row));
    snapshots.set(key, same ? ladders : [...ladders, snapshot]);
  }
  const all = [...snapshots.values()].flat();
  for (const snapshot of all) snapshot.points.sort((a, b) => a.lo - b.lo);
  return all.sort((a, b) => a.ts - b.ts || a.window.endTs - b.window.endTs);
}

/** Of one share, between 0 and 1. */
export function readPrice(row: CsvRow, column: string): number {
  const value = row.number(column);
  return value >= 0 && value <= 1 ? value : row.fail(column, 'is not between 0 and 1');
}

function readPoint(row: CsvRow): PricePoint {
  const lo = row.integer('lo');
  const hi = row.optional('hi');
  return {
    label: row.text('bucket') || (hi === null ? `${lo}+` : `${lo}-${hi}`),
    lo,
    hi,
    price: readPrice(row, 'price_yes'),
    ask: row.optional('ask'),
    bid: row.optional('bid'),
    size: row.optional('size'),
  };
}
