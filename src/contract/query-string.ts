// Parses a query string like Python's parse_qsl: the last duplicate wins, blanks and broken percent escapes
// are kept, and invalid UTF-8 becomes U+FFFD.

import { isNear } from '../runtime/near-words.ts';
import { FaultError, valueFault } from './faults.ts';

export function parseQueryString(query: string): Map<string, string> {
  const values = new Map<string, string>();
  for (const part of query.split('&')) {
    if (part === '') continue;
    const equals = part.indexOf('=');
    const name = equals < 0 ? part : part.slice(0, equals);
    const value = equals < 0 ? '' : part.slice(equals + 1);
    values.set(decodePart(name), decodePart(value));
  }
  return values;
}

const ESCAPED_RUN = /(?:%[0-9a-fA-F]{2})+/g;

function decodePart(part: string): string {
  const spaced = part.includes('+') ? part.replaceAll('+', ' ') : part;
  if (!spaced.includes('%')) return spaced;
  return spaced.replace(ESCAPED_RUN, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'));
}

// Unknown parameters are ignored, as the contract says. A typo would silently change the response
// (bankrol=500 returns signals for the default bankroll), so a header reports likely typos.

/** Only names that are safe in a header are echoed. */
const PLAIN_NAME = /^[\w.-]{1,40}$/;

/** Returns the header value; null if there is nothing to report. */
export function warnOfNearMisses(
  given: Iterable<string>,
  known: readonly string[],
  what: 'parameter' | 'field' = 'parameter',
): string | null {
  for (const name of given) {
    if (known.includes(name) || !PLAIN_NAME.test(name)) continue;
    const meant = known.find(
      (candidate) => isNear(candidate, name.toLowerCase()) || candidate === name.toLowerCase(),
    );
    if (meant) return `299 - "unknown ${what} ${name} was ignored; did you mean ${meant}?"`;
  }
  return null;
}

// An opaque page cursor: joined integers in a URL-safe alphabet.

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
