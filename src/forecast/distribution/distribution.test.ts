import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { distributionMean } from './distribution.test-support.ts';
import {
  bucketProbabilities,
  cdf,
  convolveDistributions,
  mixDistributions,
  percentile,
  shiftDistribution,
  trimDistribution,
} from './distribution.ts';
import { negativeBinomialPmf } from './negative-binomial.ts';

const arbitraryDistribution = fc
  .tuple(fc.double({ min: 0.1, max: 900, noNaN: true }), fc.double({ min: 0.2, max: 200, noNaN: true }))
  .map(([mean, size]) => ({
    mean,
    size,
    distribution: trimDistribution(0, negativeBinomialPmf(mean, size)),
  }));

function buckets(width: number, count: number) {
  return Array.from({ length: count }, (_, j) => ({
    lo: j * width,
    hi: j === count - 1 ? null : (j + 1) * width - 1,
  }));
}

describe('count distribution', () => {
  it('sums to 1 and has the right mean for any parameters', () => {
    fc.assert(
      fc.property(arbitraryDistribution, ({ mean, distribution }) => {
        const total = distribution.pmf.reduce((sum, p) => sum + p, 0);
        assert.ok(Math.abs(total - 1) < 1e-9);
        assert.ok(Math.abs(distributionMean(distribution) - mean) < 1e-4 * (1 + mean));
      }),
    );
  });

  it('cannot be built without mass', () => {
    assert.throws(() => trimDistribution(0, new Float64Array(3)), /the distribution has mass 0/);
    assert.throws(
      () => trimDistribution(0, Float64Array.of(0.5, Number.NaN)),
      /the distribution has mass NaN/,
    );
  });

  it('returns the smallest integer that reaches the percentile', () => {
    fc.assert(
      fc.property(
        arbitraryDistribution,
        fc.double({ min: 0.001, max: 0.999, noNaN: true }),
        ({ distribution }, q) => {
          const x = percentile(distribution, q);
          assert.ok(cdf(distribution, x) >= q - 1e-9);
          assert.ok(x === distribution.from || cdf(distribution, x - 1) < q);
        },
      ),
    );
  });

  it('gives passed buckets probability 0 and open ones more than 0 and less than 1, summing to 1', () => {
    fc.assert(
      fc.property(
        arbitraryDistribution,
        fc.nat(400),
        fc.integer({ min: 2, max: 30 }),
        ({ distribution }, soFar, count) => {
          const ranges = buckets(20, count);
          const probabilities = bucketProbabilities(shiftDistribution(distribution, soFar), ranges, soFar);
          assert.ok(Math.abs(probabilities.reduce((sum, p) => sum + p, 0) - 1) < 1e-9);
          const open = ranges.filter((range) => range.hi === null || range.hi >= soFar).length;
          ranges.forEach((range, j) => {
            if (range.hi !== null && range.hi < soFar) assert.equal(probabilities[j], 0);
            else if (open > 1) assert.ok(probabilities[j]! > 0 && probabilities[j]! < 1);
          });
        },
      ),
    );
  });

  it('adds means when convolved and averages them when mixed', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 1, max: 60, noNaN: true }),
        fc.double({ min: 1, max: 60, noNaN: true }),
        (a, b) => {
          const left = trimDistribution(0, negativeBinomialPmf(a, 3));
          const right = trimDistribution(0, negativeBinomialPmf(b, 9));
          assert.ok(Math.abs(distributionMean(convolveDistributions(left, right)) - a - b) < 1e-4);
          assert.ok(
            Math.abs(distributionMean(mixDistributions([left, right], [0.25, 0.75])) - 0.25 * a - 0.75 * b) <
              1e-4,
          );
        },
      ),
    );
  });
});
