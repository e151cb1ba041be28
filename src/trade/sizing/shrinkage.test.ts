import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { computeKellyFraction } from './kelly.ts';
import { computeShrinkage, poolTowardPrice, scaleProbabilitySd } from './shrinkage.ts';

const unit = fc.double({ min: 0.01, max: 0.99, noNaN: true });
const sds = fc.double({ min: 0, max: 0.3, noNaN: true });

describe('shrinkage', () => {
  it('is 1 for a certain model, and 0 without an edge or a price', () => {
    assert.equal(computeShrinkage(0.6, 0.4, 0), 1);
    assert.equal(computeShrinkage(0.4, 0.4, 0.1), 0);
    assert.equal(computeShrinkage(0.4, 0.4, 0), 0);
    assert.equal(computeShrinkage(0.4, 0, 0.1), 0);
  });

  it('is one half if the edge equals its standard error', () => {
    assert.ok(Math.abs(computeShrinkage(0.5, 0.4, 0.1) - 0.5) < 1e-12);
  });

  it('lies between 0 and 1, and decreases with uncertainty', () => {
    fc.assert(
      fc.property(unit, unit, sds, sds, (p, cost, sd, more) => {
        const [sure, unsure] = [computeShrinkage(p, cost, sd), computeShrinkage(p, cost, sd + more)];
        assert.ok(sure >= 0 && sure <= 1);
        assert.ok(unsure <= sure + 1e-12);
      }),
    );
  });
});

describe('uncertainty of a probability', () => {
  it("equals the model's at a probability of one half, and is zero at 0 and 1", () => {
    assert.ok(Math.abs(scaleProbabilitySd(0.04, 0.5) - 0.04) < 1e-12);
    for (const p of [0, 1, -0.1, 1.1]) assert.equal(scaleProbabilitySd(0.04, p), 0);
  });

  it('is the same for Yes and No', () => {
    fc.assert(
      fc.property(unit, sds, (p, sd) => {
        assert.ok(Math.abs(scaleProbabilitySd(sd, p) - scaleProbabilitySd(sd, 1 - p)) < 1e-12);
      }),
    );
  });
});

describe('pooling toward the price', () => {
  it('makes full Kelly on the pooled probability equal lambda Kelly on the original', () => {
    fc.assert(
      fc.property(unit, unit, unit, (p, price, lambda) => {
        const pooled = computeKellyFraction(poolTowardPrice(p, price, lambda), price);
        assert.ok(Math.abs(pooled - lambda * computeKellyFraction(p, price)) < 1e-9);
      }),
    );
  });
});
