import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { quickExp } from './special-functions.ts';

describe('quickExp', () => {
  it('matches Math.exp to within the last bits for every normal result', () => {
    fc.assert(
      fc.property(fc.double({ min: -700, max: 700, noNaN: true }), (x) => {
        const exact = Math.exp(x);
        assert.ok(Math.abs(quickExp(x) - exact) <= 5e-16 * exact, `exp(${x})`);
      }),
      { numRuns: 20_000 },
    );
  });

  it('is monotonic across table boundaries', () => {
    for (let n = -640; n <= 640; n++) {
      const x = ((n + 0.5) * Math.LN2) / 64;
      assert.ok(quickExp(x + 1e-12) > quickExp(x - 1e-12), `at ${x}`);
    }
  });

  it('falls back to Math.exp outside its range', () => {
    for (const x of [0, -0, 709.9, 710, -745, -746, Infinity, -Infinity]) {
      assert.equal(quickExp(x), Math.exp(x));
    }
    assert.ok(Number.isNaN(quickExp(Number.NaN)));
  });
});
