// Unknown parameters are ignored, as the contract says. A typo would silently change the response
// (bankrol=500 returns signals for the default bankroll), so a header reports likely typos.

import { isNear } from '../runtime/near-words.ts';

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
