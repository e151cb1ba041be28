import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { computeMoneyness, findStandardWidth } from './moneyness.ts';

describe('moneyness', () => {
  it('is 1 at the centre of a bucket and falls linearly to its edges', () => {
    const bucket = { lo: 200, hi: 219 };
    assert.equal(computeMoneyness(209.5, bucket, 20), 1);
    assert.equal(computeMoneyness(204.5, bucket, 20), 0.5);
    assert.equal(computeMoneyness(214.5, bucket, 20), 0.5);
  });

  it('is 0 outside', () => {
    for (const p50 of [0, 199, 220, 1e6]) assert.equal(computeMoneyness(p50, { lo: 200, hi: 219 }, 20), 0);
  });

  it('is 1 inside a single-count bucket and 0 outside it', () => {
    assert.equal(computeMoneyness(7, { lo: 7, hi: 7 }, 1), 1);
    assert.equal(computeMoneyness(8, { lo: 7, hi: 7 }, 1), 0);
  });

  it('rises to 1 in the open top bucket within one standard width', () => {
    const top = { lo: 240, hi: null };
    const depths = [239, 240, 245, 250, 259.5, 300].map((p50) => computeMoneyness(p50, top, 20));
    assert.equal(depths[0], 0);
    assert.equal(depths.at(-1), 1);
    assert.deepEqual(depths, depths.toSorted());
  });

  it('lies between 0 and 1 and is symmetric about the centre', () => {
    const counts = fc.integer({ min: 0, max: 500 });
    fc.assert(
      fc.property(counts, counts, fc.double({ min: 0, max: 1, noNaN: true }), (lo, width, at) => {
        const bucket = { lo, hi: lo + width };
        const [left, right] = [lo + at * width, lo + width - at * width];
        const depth = computeMoneyness(left, bucket, 20);
        assert.ok(depth >= 0 && depth <= 1);
        assert.ok(Math.abs(depth - computeMoneyness(right, bucket, 20)) < 1e-6);
      }),
    );
  });
});

describe('standard width of a ladder', () => {
  it('is the median width of its closed buckets', () => {
    const ranges = [
      { lo: 0, hi: 99 },
      { lo: 100, hi: 119 },
      { lo: 120, hi: 139 },
      { lo: 140, hi: null },
    ];
    assert.equal(findStandardWidth(ranges), 20);
  });

  it('is 1 without closed buckets', () => {
    assert.equal(findStandardWidth([{ lo: 0, hi: null }]), 1);
    assert.equal(findStandardWidth([]), 1);
  });
});
