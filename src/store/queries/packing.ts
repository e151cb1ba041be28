// Packed columns: runs of varints (seven bits per byte, low bits first), doubles and strings; lists of doubles;
// deflated text.

import { deflateSync, inflateSync } from 'node:zlib';

export interface ByteWriter {
  whole(value: number): void;
  double(value: number): void;
  text(value: string): void;
  bytes(): Uint8Array;
}

export interface ByteReader {
  whole(): number;
  double(): number;
  text(): string;
}

const LONGEST_WHOLE = 8;
const DOUBLE_BYTES = 8;

export function createByteWriter(): ByteWriter {
  let buffer = Buffer.alloc(4_096);
  let length = 0;

  function reserve(size: number): void {
    if (length + size <= buffer.length) return;
    buffer = Buffer.concat([buffer, Buffer.alloc(Math.max(buffer.length, size))]);
  }

  function whole(value: number): void {
    reserve(LONGEST_WHOLE);
    let rest = value;
    // Uses arithmetic, because bit operators work on only 32 bits.
    for (; rest >= 128; rest = Math.floor(rest / 128)) buffer[length++] = 128 + (rest % 128);
    buffer[length++] = rest;
  }

  return {
    whole,
    double(value) {
      reserve(DOUBLE_BYTES);
      length = buffer.writeDoubleLE(value, length);
    },
    text(value) {
      const bytes = Buffer.from(value);
      whole(bytes.length);
      reserve(bytes.length);
      length += bytes.copy(buffer, length);
    },
    bytes: () => buffer.subarray(0, length),
  };
}

export function createByteReader(source: Uint8Array): ByteReader {
  const buffer = Buffer.from(source.buffer, source.byteOffset, source.byteLength);
  let position = 0;

  function whole(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = buffer.readUInt8(position++);
      value += (byte % 128) * scale;
      if (byte < 128) return value;
    }
  }

  return {
    whole,
    double() {
      position += DOUBLE_BYTES;
      return buffer.readDoubleLE(position - DOUBLE_BYTES);
    },
    text() {
      const length = whole();
      position += length;
      return buffer.toString('utf8', position - length, position);
    },
  };
}

/** Little-endian doubles: exact, and a third of the size of JSON. */
export function packNumbers(numbers: ArrayLike<number>): Uint8Array {
  const bytes = new Uint8Array(numbers.length * DOUBLE_BYTES);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < numbers.length; i++) view.setFloat64(i * DOUBLE_BYTES, numbers[i]!, true);
  return bytes;
}

export function unpackNumbers(bytes: Uint8Array): number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const numbers = new Array<number>(bytes.byteLength / DOUBLE_BYTES);
  for (let i = 0; i < numbers.length; i++) numbers[i] = view.getFloat64(i * DOUBLE_BYTES, true);
  return numbers;
}

/** Rarely read JSON takes a fifth of the space when deflated. */
export function packText(text: string): Uint8Array {
  return deflateSync(text);
}

export function unpackText(bytes: Uint8Array): string {
  // Large chunks, because joining many small ones takes as long as inflating.
  return inflateSync(bytes, { chunkSize: Math.max(16_384, 8 * bytes.length) }).toString();
}
