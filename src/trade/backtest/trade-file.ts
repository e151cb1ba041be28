// Parses a file of past trades: ts, start_ts, end_ts, lo, hi, side (yes or no), price, shares; one line per trade.
// `price` is that of the traded side.

import type { BucketRange, CountWindow } from '../../domain/market-event.ts';
import type { SpeedTrade } from '../speed-worth.ts';
import { createReader, PriceLineError } from './price-file.ts';

const TRADE_COLUMNS = ['ts', 'start_ts', 'end_ts', 'lo', 'hi', 'side', 'price', 'shares'];

export interface PastTrading {
  window: CountWindow;
  /** Buckets with a trade, ascending. */
  buckets: BucketRange[];
  trades: SpeedTrade[];
}

interface TradeLine extends Omit<SpeedTrade, 'bucket'> {
  window: CountWindow;
  range: BucketRange;
}

export function parseTrades(text: string): PastTrading[] {
  const [header = '', ...lines] = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const columns = header.split(',').map((name) => name.trim().toLowerCase());
  const missing = TRADE_COLUMNS.filter((name) => !columns.includes(name));
  if (missing.length > 0) throw new PriceLineError(1, `missing column ${missing.join(', ')}`, 'trades');
  const parsed = lines.flatMap((line, i) => (line.trim() === '' ? [] : [parseLine(columns, line, i + 2)]));
  const events = Map.groupBy(parsed, ({ window }) => `${window.startTs} ${window.endTs}`);
  return [...events.values()].map(toTrading);
}

function parseLine(columns: readonly string[], line: string, lineNumber: number): TradeLine {
  const read = createReader(columns, line, lineNumber, 'trades');
  const side = read.text('side').toLowerCase();
  if (side !== 'yes' && side !== 'no')
    throw new PriceLineError(lineNumber, 'side is not yes or no', 'trades');
  const shares = read.optional('shares') ?? 0;
  if (!(shares > 0)) throw new PriceLineError(lineNumber, 'shares is not a positive number', 'trades');
  return {
    ts: read.integer('ts'),
    window: { startTs: read.integer('start_ts'), endTs: read.integer('end_ts') },
    range: { lo: read.integer('lo'), hi: read.optional('hi') },
    side,
    price: read.price('price'),
    shares,
  };
}

function toTrading(lines: readonly TradeLine[]): PastTrading {
  const ranges = new Map(lines.map(({ range }) => [range.lo, range]));
  const buckets = [...ranges.values()].sort((a, b) => a.lo - b.lo);
  const trades = lines
    .map(({ range, ts, side, price, shares }) => ({
      ...{ ts, side, price, shares },
      bucket: buckets.findIndex(({ lo }) => lo === range.lo),
    }))
    .sort((a, b) => a.ts - b.ts);
  return { window: lines[0]!.window, buckets, trades };
}
