import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { warnOfNearMisses } from './near-parameter.ts';

const KNOWN = ['bankroll', 'limit', 'offset'];

describe('near misses of parameters', () => {
  it('are told with what may be meant', () => {
    assert.equal(
      warnOfNearMisses(['limit', 'bankrol'], KNOWN),
      '299 - "unknown parameter bankrol was ignored; is bankroll meant?"',
    );
    assert.match(warnOfNearMisses(['Limit'], KNOWN)!, /is limit meant/);
  });

  it('are not seen in known names, in names of something else, and where a name could harm a header', () => {
    assert.equal(warnOfNearMisses(['limit', 'offset', 'utm_source', 'x'], KNOWN), null);
    assert.equal(warnOfNearMisses(['limi\r\n', 'limi"', 'bankrol\u00e9'], KNOWN), null);
    assert.equal(warnOfNearMisses(['anything'], []), null);
  });
});
