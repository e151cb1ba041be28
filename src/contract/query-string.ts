// Parses a query string like Python's parse_qsl: the last duplicate wins, blanks and broken percent escapes
// are kept, and invalid UTF-8 becomes U+FFFD.

import { isNear } from '../runtime/near-words.ts';

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
