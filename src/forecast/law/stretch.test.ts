import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { lawVariance, percentile, trimLaw } from './law.ts';
import { negativeBinomialPmf } from './negative-binomial.ts';
import { stretchLaw } from './stretch.ts';

const law = trimLaw(0, negativeBinomialPmf(80, 6));

describe('a stretched law', () => {
  it('keeps the median and moves the other quantiles by the factor, on the log scale', () => {
    for (const factor of [0.75, 0.9, 1.2]) {
      const stretched = stretchLaw(law, factor);
      const middle = Math.log(percentile(law, 0.5) + 1);
      assert.ok(Math.abs(percentile(stretched, 0.5) - percentile(law, 0.5)) <= 1);
      for (const q of [0.05, 0.25, 0.75, 0.95]) {
        const expected = Math.exp(middle + factor * (Math.log(percentile(law, q) + 1) - middle)) - 1;
        assert.ok(Math.abs(percentile(stretched, q) - expected) <= 1.5, `${factor} ${q}`);
      }
    }
  });

  it('stays a law of counts from zero on, whatever the law and the factor', () => {
    const cases = fc.record({
      mean: fc.double({ min: 0.01, max: 400, noNaN: true }),
      size: fc.double({ min: 0.3, max: 90, noNaN: true }),
      factor: fc.double({ min: 0.7, max: 1.3, noNaN: true }),
    });
    fc.assert(
      fc.property(cases, ({ mean, size, factor }) => {
        const before = trimLaw(0, negativeBinomialPmf(mean, size));
        const after = stretchLaw(before, factor);
        const total = after.pmf.reduce((sum, p) => sum + p, 0);
        assert.ok(after.from >= 0 && Math.abs(total - 1) < 1e-9);
        assert.ok(after.pmf.every((p) => p >= 0));
        if (mean > 5 && factor < 0.95) assert.ok(lawVariance(after) < lawVariance(before));
      }),
      { seed: 5, numRuns: 200 },
    );
  });

  it('is the law itself at factor 1', () => {
    assert.equal(stretchLaw(law, 1), law);
  });
});
