// Doubles as little-endian bytes: exact, and a third of the size of JSON.

const BYTES_PER_NUMBER = 8;

export function packNumbers(numbers: ArrayLike<number>): Uint8Array {
  const bytes = new Uint8Array(numbers.length * BYTES_PER_NUMBER);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < numbers.length; i++) view.setFloat64(i * BYTES_PER_NUMBER, numbers[i]!, true);
  return bytes;
}

export function unpackNumbers(bytes: Uint8Array): number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const numbers = new Array<number>(bytes.byteLength / BYTES_PER_NUMBER);
  for (let i = 0; i < numbers.length; i++) numbers[i] = view.getFloat64(i * BYTES_PER_NUMBER, true);
  return numbers;
}
