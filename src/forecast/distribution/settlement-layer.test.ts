import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { distributionMean, probabilityOf, shiftDistribution, trimDistribution } from './distribution.ts';
import { negativeBinomialPmf } from './negative-binomial.ts';
import { certainCount, settleDistribution } from './settlement-layer.ts';

const distribution = shiftDistribution(trimDistribution(0, negativeBinomialPmf(30, 5)), 100);

describe('settlement layer', () => {
  it('leaves the distribution unchanged without an oracle count', () => {
    assert.equal(settleDistribution(distribution, 100, undefined), distribution);
    assert.equal(
      settleDistribution(distribution, 100, { count: null, deletedSinceLastCatchUp: 3 }),
      distribution,
    );
  });

  it('barely changes when the oracle agrees', () => {
    const settled = settleDistribution(distribution, 100, { count: 100, deletedSinceLastCatchUp: 0 });
    assert.ok(Math.abs(distributionMean(settled) - distributionMean(distribution)) < 0.01);
  });

  it('shifts up by the posts we missed when the oracle is ahead', () => {
    const settled = settleDistribution(distribution, 100, { count: 104, deletedSinceLastCatchUp: 0 });
    assert.ok(Math.abs(distributionMean(settled) - distributionMean(distribution) - 4) < 0.01);
  });

  it('counts half of the pending posts that were deleted before the oracle saw them', () => {
    const settled = settleDistribution(distribution, 100, { count: 96, deletedSinceLastCatchUp: 4 });
    assert.ok(Math.abs(distributionMean(settled) - (distributionMean(distribution) - 2)) < 0.05);
  });

  it('hardly counts deleted posts that the oracle had time to import', () => {
    const oracle = { count: 96, deletedSinceLastCatchUp: 4, deletedMissed: 4 };
    const settled = settleDistribution(distribution, 100, oracle);
    assert.ok(Math.abs(distributionMean(settled) - (distributionMean(distribution) - 3.8)) < 0.05);
  });

  it('is certain of our count except for deleted posts that the oracle has not shown', () => {
    assert.equal(certainCount(100, undefined), 100);
    assert.equal(certainCount(100, { count: null, deletedSinceLastCatchUp: 0 }), 100);
    assert.equal(certainCount(100, { count: 96, deletedSinceLastCatchUp: 1 }), 99);
    assert.equal(certainCount(100, { count: 104, deletedSinceLastCatchUp: 0 }), 104);
  });

  it("never settles below the oracle's count", () => {
    const settled = settleDistribution(distribution, 100, { count: 99, deletedSinceLastCatchUp: 1 });
    assert.equal(probabilityOf(settled, 98), 0);
    assert.ok(settled.from >= 99);
  });
});
