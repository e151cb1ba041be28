// Encodes past prices as compressed columns of differences, without loss.
//
// header: length (varint), JSON {count, fromTs, digits: decimals of each column (null for doubles)}
// then: time (since the previous row), then one column per bucket

import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import type { PastPricePoint } from '../../domain/venue-past.ts';
import { findDigits, readColumn, writeColumn } from './packed-books.ts';
import { createByteReader, createByteWriter } from './packing.ts';

const QUALITY = 7;

interface Header {
  count: number;
  fromTs: number;
  digits: (number | null)[];
}

/** Points must be in chronological order. */
export function packPoints(points: readonly PastPricePoint[]): Uint8Array {
  const columns = (points[0]?.prices ?? []).map((_, i) => points.map(({ prices }) => prices[i] ?? null));
  const digits = columns.map(findDigits);
  const header: Header = { count: points.length, fromTs: points[0]?.ts ?? 0, digits };
  const writer = createByteWriter();
  writer.text(JSON.stringify(header));
  points.forEach(({ ts }, i) => {
    writer.whole(ts - (points[i - 1]?.ts ?? header.fromTs));
  });
  const single = points.map(() => 0);
  columns.forEach((values, column) => {
    writeColumn(writer, values, single, digits[column]!);
  });
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_LGWIN } = constants;
  return brotliCompressSync(writer.bytes(), {
    params: { [BROTLI_PARAM_QUALITY]: QUALITY, [BROTLI_PARAM_LGWIN]: 18 },
  });
}

export function unpackPoints(bytes: Uint8Array): PastPricePoint[] {
  const reader = createByteReader(brotliDecompressSync(bytes));
  const header = JSON.parse(reader.text()) as Header;
  let ts = header.fromTs;
  const times = Array.from({ length: header.count }, () => (ts += reader.whole()));
  const single = times.map(() => 0);
  const columns = header.digits.map((digits) => readColumn(reader, single, digits));
  return times.map((at, i) => ({ ts: at, prices: columns.map((column) => column[i]!) }));
}
