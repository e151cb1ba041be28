// Parses a file of past prices: ts, start_ts, end_ts, bucket, lo, hi, price_yes[, ask, bid, size]; one line
// per bucket and time. Other common column names are accepted too. Errors include the line number.

import type { CountWindow } from '../../domain/market-event.ts';
import { INSTANT_MS } from './past-moments.ts';

export const PRICE_COLUMNS = ['ts', 'start_ts', 'end_ts', 'bucket', 'lo', 'hi', 'price_yes'];
const EXTRA_COLUMNS = ['ask', 'bid', 'size'];
const ALIASES: Readonly<Record<string, string>> = {
  window_start_ts: 'start_ts',
  window_end_ts: 'end_ts',
  bucket_lo: 'lo',
  bucket_hi: 'hi',
  yes_price: 'price_yes',
};
/** A bucket without a label is labelled with its range. */
const OPTIONAL_COLUMNS = ['bucket'];

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

export class PriceLineError extends Error {
  constructor(lineNumber: number, problem: string, file = 'prices') {
    super(`${file}, line ${lineNumber}: ${problem}`);
    this.name = 'PriceLineError';
  }
}

export function parsePrices(text: string): LadderSnapshot[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const columns = parseHeader(lines[0] ?? '');
  const snapshots = new Map<string, LadderSnapshot[]>();
  lines.forEach((line, i) => {
    if (i === 0 || line.trim() === '') return;
    const read = createReader(columns, line, i + 1);
    const ts = read.integer('ts');
    const window = { startTs: read.integer('start_ts'), endTs: read.integer('end_ts') };
    if (window.endTs <= window.startTs) throw new PriceLineError(i + 1, 'end_ts is not after start_ts');
    const key = `${window.startTs} ${window.endTs}`;
    const ladders = snapshots.get(key) ?? [];
    const same = ladders.findLast((ladder) => Math.abs(ladder.ts - ts) < INSTANT_MS);
    const snapshot = same ?? { ts, window, points: [] };
    snapshot.ts = Math.max(snapshot.ts, ts);
    snapshot.points.push(readPoint(read));
    snapshots.set(key, same ? ladders : [...ladders, snapshot]);
  });
  const all = [...snapshots.values()].flat();
  for (const snapshot of all) snapshot.points.sort((a, b) => a.lo - b.lo);
  return all.sort((a, b) => a.ts - b.ts || a.window.endTs - b.window.endTs);
}

function parseHeader(line: string): string[] {
  const written = line.split(',').map((name) => name.trim().toLowerCase());
  const names = written.map((name) => ALIASES[name] ?? name);
  const missing = PRICE_COLUMNS.filter((name) => !names.includes(name) && !OPTIONAL_COLUMNS.includes(name));
  if (missing.length > 0) throw new PriceLineError(1, `missing column ${missing.join(', ')}`);
  return names.map((name) => ([...PRICE_COLUMNS, ...EXTRA_COLUMNS].includes(name) ? name : ''));
}

interface LineReader {
  text(column: string): string;
  integer(column: string): number;
  price(column: string): number;
  optional(column: string): number | null;
}

export function createReader(
  columns: readonly string[],
  line: string,
  lineNumber: number,
  file = 'prices',
): LineReader {
  const fields = line.split(',').map((field) => field.trim().replace(/^"(.*)"$/, '$1'));
  const text = (column: string) => fields[columns.indexOf(column)] ?? '';
  const number = (column: string) => {
    const value = text(column);
    const parsed = value === '' ? Number.NaN : Number(value);
    if (!Number.isFinite(parsed)) throw new PriceLineError(lineNumber, `${column} is not a number`, file);
    return parsed;
  };
  return {
    text,
    integer(column) {
      const value = number(column);
      if (!Number.isInteger(value))
        throw new PriceLineError(lineNumber, `${column} is not a whole number`, file);
      return value;
    },
    price(column) {
      const value = number(column);
      if (value < 0 || value > 1)
        throw new PriceLineError(lineNumber, `${column} is not between 0 and 1`, file);
      return value;
    },
    optional: (column) => (text(column) === '' ? null : number(column)),
  };
}

function readPoint(read: LineReader): PricePoint {
  const lo = read.integer('lo');
  const hi = read.optional('hi');
  return {
    label: read.text('bucket') || (hi === null ? `${lo}+` : `${lo}-${hi}`),
    lo,
    hi,
    price: read.price('price_yes'),
    ask: read.optional('ask'),
    bid: read.optional('bid'),
    size: read.optional('size'),
  };
}
