// A parameter that nothing knows is ignored, as the contract says. One that looks like a slip of a known one changes an
// answer silently (bankrol=500 gives the signals of another bankroll), so the caller is told in a header.

import { isNear } from '../runtime/near-words.ts';

/** Only such a name is repeated to the caller: it stands in a header. */
const PLAIN_NAME = /^[\w.-]{1,40}$/;

/** The header's value; null when there is nothing to tell. */
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
    if (meant) return `299 - "unknown ${what} ${name} was ignored; is ${meant} meant?"`;
  }
  return null;
}
