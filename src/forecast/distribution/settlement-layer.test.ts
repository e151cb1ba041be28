import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { distributionMean, probabilityOf, shiftDistribution, trimDistribution } from './distribution.ts';
import { negativeBinomialPmf } from './negative-binomial.ts';
import { settleDistribution } from './settlement-layer.ts';

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

  it("never settles below the oracle's count", () => {
    const settled = settleDistribution(distribution, 100, { count: 99, deletedSinceLastCatchUp: 1 });
    assert.equal(probabilityOf(settled, 98), 0);
    assert.ok(settled.from >= 99);
  });
});
