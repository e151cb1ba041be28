// Encodes an hour of order books as bytes, without loss. A header lists the books and the decimals of each
// column; each column is a sequence of whole numbers, the differences from the book's previous values.
// Everything is compressed together.
//
//   header: length (varint), JSON {books, digits, count, fromTs, slots: [[from, to], ...]}
// columns: book (index), time (since the previous row), then VALUES: 0 for null, else 1 + zigzag(difference)
// A column with a value that has no short decimal form is written as doubles, with NaN for null.

import { createHash } from 'node:crypto';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import type { BookChange, BookHour } from '../../domain/book.ts';
import { type ByteReader, type ByteWriter, createByteReader, createByteWriter } from './packing.ts';

const VALUES = [
  'bid',
  'ask',
  'bidShares',
  'askShares',
  'bidDepth',
  'askDepth',
  'lastTradePrice',
] as const satisfies readonly (keyof BookChange)[];

/** Prices have up to 4 decimals, shares up to 6. */
const MAX_DIGITS = 6;
/** Differences between larger numbers would not be exact. */
const MAX_UNITS = 2 ** 51;
/** Brotli levels: pieces are packed often, whole hours once, which saves a quarter in 30 times the time. */
const LEVELS = { piece: 5, whole: 11 } as const;

interface Header {
  books: string[];
  /** Decimals of each VALUES column; null for doubles. */
  digits: (number | null)[];
  count: number;
  fromTs: number;
  slots: [number, number][];
}

/** Changes must be in chronological order. */
export function packBooks({ changes, slots }: BookHour, size: keyof typeof LEVELS): Uint8Array {
  const books = [...new Set(changes.map(nameOf))];
  const header: Header = {
    books,
    digits: VALUES.map((name) => findDigits(changes.map((change) => change[name]))),
    count: changes.length,
    fromTs: changes[0]?.observedTs ?? 0,
    slots: toRanges(slots),
  };
  const writer = createByteWriter();
  writer.text(JSON.stringify(header));
  const places = new Map(books.map((name, i) => [name, i]));
  const indexes = changes.map((change) => places.get(nameOf(change))!);
  for (const index of indexes) writer.whole(index);
  changes.forEach(({ observedTs }, i) => {
    writer.whole(observedTs - (changes[i - 1]?.observedTs ?? header.fromTs));
  });
  VALUES.forEach((name, column) => {
    const values = changes.map((change) => change[name]);
    writeColumn(writer, values, indexes, header.digits[column]!);
  });
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_LGWIN } = constants;
  return brotliCompressSync(writer.bytes(), {
    params: { [BROTLI_PARAM_QUALITY]: LEVELS[size], [BROTLI_PARAM_LGWIN]: 18 },
  });
}

export function unpackBooks(bytes: Uint8Array): BookHour {
  const reader = createByteReader(brotliDecompressSync(bytes));
  const { books, digits, count, fromTs, slots } = JSON.parse(reader.text()) as Header;
  const indexes = Array.from({ length: count }, () => reader.whole());
  let ts = fromTs;
  const times = Array.from({ length: count }, () => (ts += reader.whole()));
  const columns = digits.map((each) => readColumn(reader, indexes, each));
  const changes = indexes.map((index, i) => {
    const [side, ...label] = books[index]!.split(' ');
    const values = Object.fromEntries(VALUES.map((name, column) => [name, columns[column]![i]!]));
    return { bucket: label.join(' '), side, observedTs: times[i]!, ...values } as unknown as BookChange;
  });
  return { changes, slots: slots.flatMap(fromRange) };
}

function nameOf({ bucket, side }: BookChange): string {
  return `${side} ${bucket}`;
}

/** The fewest decimals that preserve every value exactly; null if there would be too many. */
export function findDigits(values: readonly (number | null)[]): number | null {
  for (let digits = 0; digits <= MAX_DIGITS; digits += 2) {
    const unit = 10 ** digits;
    // Negative zero cannot be stored as a whole number.
    const isExact = (value: number) =>
      !Object.is(value, -0) &&
      Object.is(Math.round(value * unit) / unit, value) &&
      Math.abs(value * unit) < MAX_UNITS;
    if (values.every((value) => value === null || isExact(value))) return digits;
  }
  return null;
}

export function writeColumn(
  writer: ByteWriter,
  values: readonly (number | null)[],
  indexes: readonly number[],
  digits: number | null,
): void {
  const before: number[] = [];
  if (digits === null) {
    for (const value of values) writer.double(value ?? Number.NaN);
    return;
  }
  values.forEach((value, i) => {
    if (value === null) {
      writer.whole(0);
      return;
    }
    const units = Math.round(value * 10 ** digits);
    const difference = units - (before[indexes[i]!] ?? 0);
    writer.whole(1 + (difference < 0 ? -2 * difference - 1 : 2 * difference));
    before[indexes[i]!] = units;
  });
}

export function readColumn(
  reader: ByteReader,
  indexes: readonly number[],
  digits: number | null,
): (number | null)[] {
  const before: number[] = [];
  return indexes.map((index) => {
    if (digits === null) return nullIfNaN(reader.double());
    const code = reader.whole();
    if (code === 0) return null;
    const difference = code % 2 === 0 ? -code / 2 : (code - 1) / 2;
    before[index] = (before[index] ?? 0) + difference;
    return before[index] / 10 ** digits;
  });
}

function nullIfNaN(value: number): number | null {
  return Number.isNaN(value) ? null : value;
}

export function toRanges(slots: readonly number[]): [number, number][] {
  const ranges: [number, number][] = [];
  for (const slot of slots) {
    const last = ranges.at(-1);
    if (last && last[1] === slot - 1) last[1] = slot;
    else ranges.push([slot, slot]);
  }
  return ranges;
}

function fromRange([from, to]: [number, number]): number[] {
  return Array.from({ length: to - from + 1 }, (_, i) => from + i);
}

/** The same for an hour in pieces and for the merged hour. */
export function digestHour({ changes, slots }: BookHour): string {
  const rows = changes.map((change) => [
    ...[change.bucket, change.side, change.observedTs],
    ...VALUES.map((name) => change[name]),
  ]);
  return createHash('sha256')
    .update(JSON.stringify([rows, slots]))
    .digest('base64url');
}
