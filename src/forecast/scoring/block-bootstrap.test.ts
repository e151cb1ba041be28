import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createRandom } from '../../runtime/random.ts';
import { bootstrapMean, bootstrapSkill, computeWilsonInterval } from './block-bootstrap.ts';

describe('block bootstrap', () => {
  it('returns the same interval for the same seed', () => {
    const values = Array.from({ length: 80 }, (_, i) => Math.sin(i));
    assert.deepEqual(
      bootstrapMean(values, 7, 200, createRandom(1)),
      bootstrapMean(values, 7, 200, createRandom(1)),
    );
  });

  it('returns an interval that contains the mean and is wider for correlated neighbours', () => {
    const random = createRandom(2);
    const steps = Array.from({ length: 400 }, () => random.normal());
    const drifting = steps.map((_, i) => steps.slice(Math.max(0, i - 13), i + 1).reduce((a, b) => a + b, 0));
    const alone = bootstrapMean(drifting, 1, 500, createRandom(3));
    const blocks = bootstrapMean(drifting, 28, 500, createRandom(3));
    const mean = drifting.reduce((a, b) => a + b, 0) / drifting.length;
    assert.ok(blocks.lo < mean && mean < blocks.hi);
    assert.ok(blocks.hi - blocks.lo > 1.8 * (alone.hi - alone.lo));
  });

  it('finds no skill when comparing a model with itself', () => {
    const scores = [3, 5, 2, 8, 4];
    assert.deepEqual(bootstrapSkill(scores, scores, 2, 100, createRandom(4)), { lo: 0, hi: 0 });
  });
});

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
