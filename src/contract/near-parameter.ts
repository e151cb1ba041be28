// Unknown parameters are ignored, as the contract says. A likely typo changes an answer silently (bankrol=500 gives
// another bankroll's signals), so a header reports it.

import { isNear } from '../runtime/near-words.ts';

/** Only names of this form are echoed, because they go into a header. */
const PLAIN_NAME = /^[\w.-]{1,40}$/;

/** The header's value; null if there is nothing to report. */
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
