// An opaque page cursor: joined integers in a URL-safe alphabet.

import { FaultError, valueFault } from './faults.ts';

export function writeCursor(...numbers: readonly number[]): string {
  return Buffer.from(numbers.join('.')).toString('base64url');
}

/** Throws a 422 for anything that writeCursor did not create. */
export function readCursor(text: string, length: number): number[] {
  const numbers = Buffer.from(text, 'base64url').toString('latin1').split('.').map(toNumber);
  const isOurs = numbers.length === length && numbers.every(Number.isSafeInteger);
  if (isOurs && writeCursor(...numbers) === text) return numbers;
  throw new FaultError([
    valueFault(['query', 'cursor'], 'cursor must be the next_cursor from an earlier response'),
  ]);
}

function toNumber(text: string): number {
  return text === '' ? Number.NaN : Number(text);
}
