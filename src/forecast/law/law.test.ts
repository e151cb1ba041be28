import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  bucketProbabilities,
  cdf,
  convolveLaws,
  lawMean,
  mixLaws,
  percentile,
  shiftLaw,
  trimLaw,
} from './law.ts';
import { negativeBinomialPmf } from './negative-binomial.ts';

const arbitraryLaw = fc
  .tuple(fc.double({ min: 0.1, max: 900, noNaN: true }), fc.double({ min: 0.2, max: 200, noNaN: true }))
  .map(([mean, size]) => ({ mean, size, law: trimLaw(0, negativeBinomialPmf(mean, size)) }));

function buckets(width: number, count: number) {
  return Array.from({ length: count }, (_, j) => ({
    lo: j * width,
    hi: j === count - 1 ? null : (j + 1) * width - 1,
  }));
}

describe('law of a count', () => {
  it('sums to 1 and keeps its mean, whatever the parameters', () => {
    fc.assert(
      fc.property(arbitraryLaw, ({ mean, law }) => {
        const total = law.pmf.reduce((sum, p) => sum + p, 0);
        assert.ok(Math.abs(total - 1) < 1e-9);
        assert.ok(Math.abs(lawMean(law) - mean) < 1e-4 * (1 + mean));
      }),
    );
  });

  it('is not made of nothing', () => {
    assert.throws(() => trimLaw(0, new Float64Array(3)), /a law of mass 0/);
    assert.throws(() => trimLaw(0, Float64Array.of(0.5, Number.NaN)), /a law of mass NaN/);
  });

  it('gives as percentile the smallest integer whose distribution reaches it', () => {
    fc.assert(
      fc.property(arbitraryLaw, fc.double({ min: 0.001, max: 0.999, noNaN: true }), ({ law }, q) => {
        const x = percentile(law, q);
        assert.ok(cdf(law, x) >= q - 1e-9);
        assert.ok(x === law.from || cdf(law, x - 1) < q);
      }),
    );
  });

  it('spreads 1 over the open buckets, gives passed ones 0 and no other 0 or 1', () => {
    fc.assert(
      fc.property(arbitraryLaw, fc.nat(400), fc.integer({ min: 2, max: 30 }), ({ law }, soFar, count) => {
        const ranges = buckets(20, count);
        const probabilities = bucketProbabilities(shiftLaw(law, soFar), ranges, soFar);
        assert.ok(Math.abs(probabilities.reduce((sum, p) => sum + p, 0) - 1) < 1e-9);
        const open = ranges.filter((range) => range.hi === null || range.hi >= soFar).length;
        ranges.forEach((range, j) => {
          if (range.hi !== null && range.hi < soFar) assert.equal(probabilities[j], 0);
          else if (open > 1) assert.ok(probabilities[j]! > 0 && probabilities[j]! < 1);
        });
      }),
    );
  });

  it('keeps order: a larger mean never makes a low percentile larger than a high one', () => {
    fc.assert(
      fc.property(arbitraryLaw, ({ law }) => {
        assert.ok(percentile(law, 0.05) <= percentile(law, 0.5));
        assert.ok(percentile(law, 0.5) <= percentile(law, 0.95));
      }),
    );
  });

  it('adds means under convolution and averages them under mixture', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 1, max: 60, noNaN: true }),
        fc.double({ min: 1, max: 60, noNaN: true }),
        (a, b) => {
          const left = trimLaw(0, negativeBinomialPmf(a, 3));
          const right = trimLaw(0, negativeBinomialPmf(b, 9));
          assert.ok(Math.abs(lawMean(convolveLaws(left, right)) - a - b) < 1e-4);
          assert.ok(Math.abs(lawMean(mixLaws([left, right], [0.25, 0.75])) - 0.25 * a - 0.75 * b) < 1e-4);
        },
      ),
    );
  });
});
