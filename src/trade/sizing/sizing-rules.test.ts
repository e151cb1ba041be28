import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  computeDepthCapUsd,
  computeLotShares,
  DEFAULT_MIN_SHARES,
  getSizingRules,
  MAX_SET_STAKE,
  MIN_ORDER_USD,
} from './sizing-rules.ts';

describe('sizing rules', () => {
  it('are the same for every account, except whether it may sell', () => {
    const { allowsSell, ...rules } = getSizingRules({ allowsSell: true });
    const { allowsSell: other, ...same } = getSizingRules({ allowsSell: false });
    assert.deepEqual([allowsSell, other], [true, false]);
    assert.deepEqual(rules, same);
  });

  it('cap stakes at quarter Kelly and a fifth of the book, with a lower cap for single-bucket bets', () => {
    const { kellyLambda, depthShare, singleBucket, twoBucket } = getSizingRules({ allowsSell: false });
    assert.ok(kellyLambda <= 0.25 && depthShare <= 0.2);
    assert.ok(singleBucket.maxStakeFraction < twoBucket.maxStakeFraction);
    assert.ok(twoBucket.minWinProbability > singleBucket.minWinProbability);
    assert.ok(MAX_SET_STAKE <= 0.2);
  });
});

describe('lots', () => {
  it('are whole shares, and an exact stake loses no share to float error', () => {
    assert.equal(computeLotShares(10, 0.3), 33);
    assert.equal(computeLotShares(0.1 * 3 * 10, 0.3), 10);
    assert.equal(computeLotShares(2.1, 0.07), 30);
  });

  it("are zero below the market's minimum number of shares or 1 USD", () => {
    assert.equal(computeLotShares(4, 0.9), 0);
    assert.equal(computeLotShares(4.5, 0.9), DEFAULT_MIN_SHARES);
    assert.equal(computeLotShares(0.99, 0.01), 0);
    assert.equal(computeLotShares(MIN_ORDER_USD, 0.01), 100);
    assert.equal(computeLotShares(10, 0.5, 21), 0);
  });

  it('are zero without a stake or a price', () => {
    for (const [stake, cost] of [
      [0, 0.5],
      [-5, 0.5],
      [Number.NaN, 0.5],
      [10, 0],
      [10, Number.NaN],
    ] as const) {
      assert.equal(computeLotShares(stake, cost), 0);
    }
  });

  it('never cost more than the stake, and one more share would', () => {
    const stakes = fc.integer({ min: 1, max: 1_000_000 }).map((cents) => cents / 100);
    const costs = fc.integer({ min: 1, max: 999 }).map((mills) => mills / 1000);
    fc.assert(
      fc.property(stakes, costs, (stake, cost) => {
        const shares = computeLotShares(stake, cost);
        assert.ok(Number.isInteger(shares));
        assert.ok(shares * cost <= stake + 1e-6);
        if (shares > 0) assert.ok((shares + 1) * cost > stake - 1e-6);
      }),
    );
  });
});

describe('depth cap', () => {
  it('is a fraction of the displayed depth, at cost', () => {
    assert.equal(computeDepthCapUsd(1000, 0.25, 0.2), 50);
    assert.equal(computeDepthCapUsd(0, 0.25, 0.2), 0);
    assert.equal(computeDepthCapUsd(-3, 0.25, 0.2), 0);
  });

  it('is unlimited if the depth is unknown', () => {
    assert.equal(computeDepthCapUsd(null, 0.25, 0.2), Number.POSITIVE_INFINITY);
  });
});
