import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { computeWilsonInterval } from './wilson-interval.ts';

describe('Wilson interval', () => {
  it('matches published values', () => {
    const { lo, hi } = computeWilsonInterval(18, 20)!;
    assert.ok(Math.abs(lo - 0.699) < 5e-4 && Math.abs(hi - 0.9721) < 5e-4);
  });

  it('is null without trials', () => {
    assert.equal(computeWilsonInterval(0, 0), null);
  });

  it('contains the rate, stays within 0 and 1, is symmetric, and narrows with more trials', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 500 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (n, share) => {
          const hits = Math.round(share * n);
          const { lo, hi } = computeWilsonInterval(hits, n)!;
          assert.ok(0 <= lo && lo <= hits / n + 1e-12 && hits / n <= hi + 1e-12 && hi <= 1);
          const mirror = computeWilsonInterval(n - hits, n)!;
          assert.ok(Math.abs(mirror.lo - (1 - hi)) < 1e-12);
          const more = computeWilsonInterval(4 * hits, 4 * n)!;
          assert.ok(more.hi - more.lo < hi - lo);
        },
      ),
    );
  });
});
