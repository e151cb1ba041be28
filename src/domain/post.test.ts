import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { compareIds } from './post.ts';

describe('post ids', () => {
  it('compare as numbers', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 1n << 80n }), fc.bigInt({ min: 0n, max: 1n << 80n }), (a, b) => {
        assert.equal(Math.sign(compareIds(String(a), String(b))), a < b ? -1 : a > b ? 1 : 0);
      }),
    );
  });

  it('compare as text if they are not numbers', () => {
    assert.ok(compareIds('3k2a', '3k2b') < 0);
    assert.ok(compareIds('b', 'aa') > 0);
    assert.equal(compareIds('x', 'x'), 0);
  });
});
