import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { editDistance, isNear } from './near-words.ts';

const word = fc.string({ minLength: 1, maxLength: 12 });

describe('near words', () => {
  it('distinguishes a typo from another word', () => {
    for (const typed of ['bankrol', 'bankrolll', 'bnakroll', 'bankrool', 'vankroll'])
      assert.ok(isNear('bankroll', typed), typed);
    for (const other of ['bankroll', 'wallet', 'bank', 'payroll_x'])
      assert.ok(!isNear('bankroll', other), other);
    assert.ok(!isNear('limit', 'lmtii'));
  });

  it('measures a distance that is symmetric, zero only for equal words and at most the longer length', () => {
    fc.assert(
      fc.property(word, word, (a, b) => {
        const slips = editDistance(a, b);
        assert.equal(slips, editDistance(b, a));
        assert.equal(slips === 0, a === b);
        assert.ok(slips <= Math.max(a.length, b.length));
        assert.ok(slips >= Math.abs(a.length - b.length));
      }),
    );
  });

  it('counts swapped neighbours, a missing letter and a wrong letter as one edit', () => {
    assert.deepEqual(
      [editDistance('ab', 'ba'), editDistance('abc', 'ac'), editDistance('abc', 'axc')],
      [1, 1, 1],
    );
  });
});
