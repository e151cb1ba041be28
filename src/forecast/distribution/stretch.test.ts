import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { distributionVariance, percentile, trimDistribution } from './distribution.ts';
import { negativeBinomialPmf } from './negative-binomial.ts';
import { stretchDistribution } from './stretch.ts';

const distribution = trimDistribution(0, negativeBinomialPmf(80, 6));

describe('stretched distribution', () => {
  it('keeps the median and scales the other quantiles on the log scale', () => {
    for (const factor of [0.75, 0.9, 1.2]) {
      const stretched = stretchDistribution(distribution, factor);
      const middle = Math.log(percentile(distribution, 0.5) + 1);
      assert.ok(Math.abs(percentile(stretched, 0.5) - percentile(distribution, 0.5)) <= 1);
      for (const q of [0.05, 0.25, 0.75, 0.95]) {
        const expected = Math.exp(middle + factor * (Math.log(percentile(distribution, q) + 1) - middle)) - 1;
        assert.ok(Math.abs(percentile(stretched, q) - expected) <= 1.5, `${factor} ${q}`);
      }
    }
  });

  it('remains a distribution over non-negative counts for any input', () => {
    const cases = fc.record({
      mean: fc.double({ min: 0.01, max: 400, noNaN: true }),
      size: fc.double({ min: 0.3, max: 90, noNaN: true }),
      factor: fc.double({ min: 0.7, max: 1.3, noNaN: true }),
    });
    fc.assert(
      fc.property(cases, ({ mean, size, factor }) => {
        const before = trimDistribution(0, negativeBinomialPmf(mean, size));
        const after = stretchDistribution(before, factor);
        const total = after.pmf.reduce((sum, p) => sum + p, 0);
        assert.ok(after.from >= 0 && Math.abs(total - 1) < 1e-9);
        assert.ok(after.pmf.every((p) => p >= 0));
        if (mean > 5 && factor < 0.95) assert.ok(distributionVariance(after) < distributionVariance(before));
      }),
      { seed: 5, numRuns: 200 },
    );
  });

  it('is unchanged at factor 1', () => {
    assert.equal(stretchDistribution(distribution, 1), distribution);
  });
});
