import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { readFlag } from './wire-reader.ts';

describe('payload flag', () => {
  it('can be text or a number', () => {
    for (const yes of [true, 'true', 'TRUE', 1]) assert.equal(readFlag({ yes }, 'yes'), true);
    for (const no of [false, 'false', 'False', 0]) assert.equal(readFlag({ no }, 'no'), false);
    for (const none of [undefined, null, '', '1', 'yes', 2, [], [true]])
      assert.equal(readFlag({ none }, 'none'), null);
  });

  it('is absent for any other value, even one that cannot be converted to text', () => {
    assert.equal(readFlag({ odd: { toString: 1, valueOf: null } }, 'odd'), null);
    fc.assert(
      fc.property(fc.object(), (odd) => {
        assert.equal(readFlag({ odd }, 'odd'), null);
      }),
    );
  });
});
