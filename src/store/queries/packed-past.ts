// Encodes past prices and trades as compressed columns of differences, without loss.
//
// header: length (varint), JSON {count, digits: decimals of each value column (null for doubles), ...}
// prices: time (since the previous row), then one column per bucket
// trades: time, book (bucket, side and taker as one number), then price and shares

import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import type { PastPricePoint, PastTrade } from '../../domain/venue-past.ts';
import { findDigits, readColumn, writeColumn } from './packed-books.ts';
import { type ByteReader, type ByteWriter, createByteReader, createByteWriter } from './packing.ts';

const QUALITY = 7;

interface Header {
  count: number;
  fromTs: number;
  digits: (number | null)[];
}

export function packPoints(points: readonly PastPricePoint[]): Uint8Array {
  const columns = (points[0]?.prices ?? []).map((_, i) => points.map(({ prices }) => prices[i] ?? null));
  const writer = begin(points, columns);
  const single = points.map(() => 0);
  return end(writer, columns, () => single);
}

export function unpackPoints(bytes: Uint8Array): PastPricePoint[] {
  const { reader, header, times } = open(bytes);
  const single = times.map(() => 0);
  const columns = header.digits.map((digits) => readColumn(reader, single, digits));
  return times.map((ts, i) => ({ ts, prices: columns.map((column) => column[i]!) }));
}

export function packTrades(trades: readonly PastTrade[]): Uint8Array {
  const columns = [trades.map(({ price }) => price), trades.map(({ shares }) => shares)];
  const writer = begin(trades, columns);
  const books = trades.map(({ bucket, side, taker }) => {
    return bucket * 4 + (side === 'no' ? 2 : 0) + (taker === 'sell' ? 1 : 0);
  });
  for (const book of books) writer.writer.whole(book);
  // Sizes of consecutive trades have nothing in common: their difference to zero is stored.
  const apart = trades.map((_, i) => i);
  return end(writer, columns, (column) => (column === 0 ? books : apart));
}

export function unpackTrades(bytes: Uint8Array): PastTrade[] {
  const { reader, header, times } = open(bytes);
  const books = times.map(() => reader.whole());
  const prices = readColumn(reader, books, header.digits[0]!);
  const apart = times.map((_, i) => i);
  const shares = readColumn(reader, apart, header.digits[1]!);
  return times.map((ts, i) => ({
    ts,
    bucket: Math.floor(books[i]! / 4),
    side: books[i]! % 4 >= 2 ? 'no' : 'yes',
    taker: books[i]! % 2 === 1 ? 'sell' : 'buy',
    price: prices[i]!,
    shares: shares[i]!,
  }));
}

interface Begun {
  writer: ByteWriter;
  digits: (number | null)[];
}

/** Rows must be in chronological order. */
function begin(rows: readonly { ts: number }[], columns: readonly (readonly (number | null)[])[]): Begun {
  const digits = columns.map(findDigits);
  const header: Header = { count: rows.length, fromTs: rows[0]?.ts ?? 0, digits };
  const writer = createByteWriter();
  writer.text(JSON.stringify(header));
  rows.forEach(({ ts }, i) => {
    writer.whole(ts - (rows[i - 1]?.ts ?? header.fromTs));
  });
  return { writer, digits };
}

function end(
  { writer, digits }: Begun,
  columns: readonly (readonly (number | null)[])[],
  indexesOf: (column: number) => readonly number[],
): Uint8Array {
  columns.forEach((values, column) => {
    writeColumn(writer, values, indexesOf(column), digits[column]!);
  });
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_LGWIN } = constants;
  return brotliCompressSync(writer.bytes(), {
    params: { [BROTLI_PARAM_QUALITY]: QUALITY, [BROTLI_PARAM_LGWIN]: 18 },
  });
}

function open(bytes: Uint8Array): { reader: ByteReader; header: Header; times: number[] } {
  const reader = createByteReader(brotliDecompressSync(bytes));
  const header = JSON.parse(reader.text()) as Header;
  let ts = header.fromTs;
  const times = Array.from({ length: header.count }, () => (ts += reader.whole()));
  return { reader, header, times };
}
