import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { addNegativeBinomial, addNegativeBinomials } from './negative-binomial.ts';

const mean = fc.double({ min: 0, max: 400, noNaN: true });
const size = fc.oneof(fc.double({ min: 0.3, max: 200, noNaN: true }), fc.constant(1e9));

describe('negative-binomial mixture', () => {
  it('equals the sum of its parts regardless of earlier mixtures', () => {
    const mixture = fc.record({
      size,
      parts: fc.array(fc.tuple(mean, fc.double({ min: 0, max: 1, noNaN: true })), { maxLength: 6 }),
      length: fc.integer({ min: 1, max: 3_000 }),
    });
    fc.assert(
      fc.property(fc.array(mixture, { minLength: 1, maxLength: 4 }), (mixtures) => {
        for (const { size, parts, length } of mixtures) {
          const apart = new Float64Array(length);
          for (const [mean, weight] of parts) addNegativeBinomial(apart, mean, size, weight);
          const together = new Float64Array(length);
          const means = Float64Array.from(parts, ([mean]) => mean);
          const weights = Float64Array.from(parts, ([, weight]) => weight);
          addNegativeBinomials(together, means, size, weights);
          for (let x = 0; x < length; x++) assert.ok(Math.abs(together[x]! - apart[x]!) < 1e-13);
        }
      }),
      { numRuns: 60 },
    );
  });
});
