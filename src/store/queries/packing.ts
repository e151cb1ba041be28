// Lists of doubles as bytes, and deflated text.

import { deflateSync, inflateSync } from 'node:zlib';

const DOUBLE_BYTES = 8;

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
