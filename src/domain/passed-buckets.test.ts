import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { conditionOnCount } from './passed-buckets.ts';

const RANGES = [
  { lo: 0, hi: 19 },
  { lo: 20, hi: 39 },
  { lo: 40, hi: null },
];

describe('probabilities given a count', () => {
  it('are zero for a bucket the count has passed', () => {
    assert.deepEqual(conditionOnCount([0.0001, 0.4999, 0.5], RANGES, 20), [0, 0.4999 / 0.9999, 0.5 / 0.9999]);
  });

  it('are unchanged if no bucket was passed', () => {
    const estimated = [0, 0.5, 0.5];
    assert.equal(conditionOnCount(estimated, RANGES, 20), estimated);
  });

  it("move entirely to the count's bucket if all others are zero", () => {
    assert.deepEqual(conditionOnCount([1, 0, 0], RANGES, 25), [0, 1, 0]);
  });

  it('still sum to 1', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0.001, max: 1, noNaN: true }), { minLength: 3, maxLength: 3 }),
        fc.integer({ min: 0, max: 80 }),
        (weights, count) => {
          const sum = weights.reduce((total, w) => total + w, 0);
          const given = conditionOnCount(
            weights.map((w) => w / sum),
            RANGES,
            count,
          );
          assert.ok(Math.abs(given.reduce((total, p) => total + p, 0) - 1) < 1e-9);
        },
      ),
    );
  });
});
