import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { distributionMean, probabilityOf } from './distribution.test-support.ts';
import { shiftDistribution, trimDistribution } from './distribution.ts';
import { negativeBinomialPmf } from './negative-binomial.ts';
import {
  addSettlementError,
  certainCount,
  describePaidBuckets,
  errorOf,
  learnChangeRate,
  settleDistribution,
  settlementRisk,
  widthAt,
} from './settlement-risk.ts';

const LADDER = [0, 20, 40, 60].map((lo, i) => ({ lo, hi: i === 3 ? null : lo + 19 }));
const at = (count: number) => ({ from: count, pmf: new Float64Array([1]) });

describe('settlement risk', () => {
  it("starts at the measured rates and follows the venue's record", () => {
    assert.equal(learnChangeRate('TRUTH_SOCIAL', []), 0.29);
    assert.equal(learnChangeRate('X', []), 0.03);
    assert.equal(learnChangeRate(null, []), 0.03);
    const kept = Array.from({ length: 100 }, () => ({ isSameBucket: true }));
    assert.ok(learnChangeRate('TRUTH_SOCIAL', kept) < 0.05);
  });

  it('moves a count out of its bucket at about the learned rate', () => {
    for (const rate of [0.03, 0.29]) {
      const error = errorOf(rate, 20);
      const risks = Array.from({ length: 20 }, (_, i) => settlementRisk(at(20 + i), LADDER, error));
      const mean = risks.reduce((sum, risk) => sum + risk, 0) / risks.length;
      assert.ok(Math.abs(mean - rate) < 0.06, `${rate} ${mean}`);
    }
  });

  it('is largest at the edge of a bucket', () => {
    const error = errorOf(0.03, 20);
    assert.ok(settlementRisk(at(39), LADDER, error) > 10 * settlementRisk(at(30), LADDER, error));
  });

  it('cannot take the result below what the oracle itself has counted', () => {
    const error = errorOf(0.29, 20);
    assert.equal(settlementRisk(at(60), LADDER, error, 60), 0);
    assert.ok(settlementRisk(at(60), LADDER, error, 59) > 0.1);
    assert.ok(settlementRisk(at(21), LADDER, error, 20) < 0.05);
  });

  it('widens the distribution without losing mass or going below zero', () => {
    const widened = addSettlementError(at(1), errorOf(0.29, 20));
    assert.ok(Math.abs(widened.pmf.reduce((sum, p) => sum + p, 0) - 1) < 1e-9);
    assert.ok(widened.from >= 0);
    assert.deepEqual(addSettlementError(at(7), errorOf(0, 20)), at(7));
  });

  it('uses the width of the bucket with the median', () => {
    assert.equal(widthAt(LADDER, 25), 20);
    assert.equal(widthAt(LADDER, 90), 20);
  });
});

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

  it('expects the oracle to reject replies as often as it did, and those it had time to import', () => {
    const rates = { rejected: 0.5, uncounted: 0, accepted: 0, comingKept: 1 };
    const settle = (contested: { waiting: number; missed: number }) =>
      distributionMean(
        settleDistribution(at(104), 104, {
          ...{ count: 100, deletedSinceLastCatchUp: 0 },
          contested: { ...rates, ...contested },
        }),
      );
    assert.ok(Math.abs(settle({ waiting: 4, missed: 0 }) - 102) < 0.1);
    assert.ok(Math.abs(settle({ waiting: 0, missed: 4 }) - 100.2) < 0.1);
    const contested = { ...rates, waiting: 1, missed: 2 };
    assert.equal(certainCount(104, { count: 100, deletedSinceLastCatchUp: 0, contested }), 101);
  });

  it('loses more of what it lacks while the oracle cannot sync', () => {
    const oracle = { count: 60, deletedSinceLastCatchUp: 0 };
    const mean = (isSyncFailing: boolean) =>
      distributionMean(settleDistribution(at(100), 100, { ...oracle, isSyncFailing }));
    assert.ok(mean(false) - mean(true) > 1.5);
  });

  it('is certain of our count except for deleted posts that the oracle has not shown', () => {
    assert.equal(certainCount(100, undefined), 100);
    assert.equal(certainCount(100, { count: null, deletedSinceLastCatchUp: 0 }), 100);
    assert.equal(certainCount(100, { count: 96, deletedSinceLastCatchUp: 1 }), 99);
    assert.equal(certainCount(100, { count: 104, deletedSinceLastCatchUp: 0 }), 104);
  });

  it('agrees with the distribution about a bucket that we have passed and the oracle has not', () => {
    for (const changeRate of [0, 0.03, 0.29]) {
      for (const shown of [55, 59, 60]) {
        const oracle = { count: shown, deletedSinceLastCatchUp: 0 };
        const settled = settleDistribution(at(60), 60, oracle);
        const paid = describePaidBuckets(settled, LADDER, 60, {
          ...{ countSoFar: 60, oracle, changeRate, mayFall: false },
        });
        const elsewhere = 1 - paid.bucketProbabilities[3]!;
        assert.ok(
          Math.abs(elsewhere - paid.settlementRisk) < 0.02,
          `${elsewhere} at ${changeRate}, ${shown}`,
        );
      }
    }
  });

  it("never settles below the oracle's count", () => {
    const settled = settleDistribution(distribution, 100, { count: 99, deletedSinceLastCatchUp: 1 });
    assert.equal(probabilityOf(settled, 98), 0);
    assert.ok(settled.from >= 99);
  });
});
