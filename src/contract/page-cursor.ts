// Where a page ended, as the caller hands it back: whole numbers, joined, in an alphabet that no address has to quote.

import { FaultError, valueFault } from './faults.ts';

export function writeCursor(...numbers: readonly number[]): string {
  return Buffer.from(numbers.join('.')).toString('base64url');
}

/** Throws what becomes a 422 for anything that writeCursor did not write. */
export function readCursor(text: string, length: number): number[] {
  const numbers = Buffer.from(text, 'base64url').toString('latin1').split('.').map(toNumber);
  const isOurs = numbers.length === length && numbers.every(Number.isSafeInteger);
  if (isOurs && writeCursor(...numbers) === text) return numbers;
  throw new FaultError([
    valueFault(['query', 'cursor'], 'cursor must be the next_cursor of an earlier answer'),
  ]);
}

function toNumber(text: string): number {
  return text === '' ? Number.NaN : Number(text);
}
