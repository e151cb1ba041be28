import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { warnOfNearMisses } from './query-string.ts';

const KNOWN = ['bankroll', 'limit', 'offset'];

describe('misspelt parameters', () => {
  it('are reported with the likely intended name', () => {
    assert.equal(
      warnOfNearMisses(['limit', 'bankrol'], KNOWN),
      '299 - "unknown parameter bankrol was ignored; did you mean bankroll?"',
    );
    assert.match(warnOfNearMisses(['Limit'], KNOWN)!, /did you mean limit/);
  });

  it('are not reported for known names, unrelated names, or names that could break a header', () => {
    assert.equal(warnOfNearMisses(['limit', 'offset', 'utm_source', 'x'], KNOWN), null);
    assert.equal(warnOfNearMisses(['limi\r\n', 'limi"', 'bankrol\u00e9'], KNOWN), null);
    assert.equal(warnOfNearMisses(['anything'], []), null);
  });
});
