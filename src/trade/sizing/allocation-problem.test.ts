import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { computeExpectedLogWealth, computeShadowPrices } from './allocation-problem.ts';

const laws = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 99 }), fc.double({ min: 0.1, max: 50, noNaN: true })), {
    minLength: 2,
    maxLength: 9,
  })
  .map((rows) => {
    const total = rows.reduce((sum, [weight]) => sum + weight, 0);
    return {
      probabilities: Float64Array.from(rows, ([weight]) => weight / total),
      wealth: Float64Array.from(rows, ([, value]) => value),
      winners: Int32Array.from(rows, (_, i) => i),
    };
  });

describe('shadow prices', () => {
  it('are the probabilities where wealth is the same whatever happens', () => {
    const prices = computeShadowPrices(
      Float64Array.of(0.2, 0.8),
      Float64Array.of(5, 5),
      Int32Array.of(0, 1),
      2,
    );
    assert.ok(Math.abs(prices[0]! - 0.2) < 1e-12 && Math.abs(prices[1]! - 0.8) < 1e-12);
  });

  it('sum to 1, and are higher than the probability where little is held', () => {
    fc.assert(
      fc.property(laws, ({ probabilities, wealth, winners }) => {
        const prices = computeShadowPrices(probabilities, wealth, winners, winners.length);
        assert.ok(Math.abs(prices.reduce((sum, price) => sum + price, 0) - 1) < 1e-9);
        const poorest = wealth.indexOf(Math.min(...wealth));
        assert.ok(prices[poorest]! >= probabilities[poorest]! - 1e-12);
      }),
    );
  });

  it('leave out what no bucket covers', () => {
    const prices = computeShadowPrices(
      Float64Array.of(0.5, 0.5),
      Float64Array.of(1, 1),
      Int32Array.of(0, -1),
      1,
    );
    assert.deepEqual(prices, [0.5]);
  });
});

describe('expected log wealth', () => {
  it('does not mind ruin in what cannot happen', () => {
    assert.equal(computeExpectedLogWealth(Float64Array.of(1, 0), Float64Array.of(Math.E, 0)), 1);
    assert.equal(computeExpectedLogWealth(Float64Array.of(0.5, 0.5), Float64Array.of(1, 0)), -Infinity);
  });

  it('is never above the log of the mean', () => {
    fc.assert(
      fc.property(laws, ({ probabilities, wealth }) => {
        const mean = probabilities.reduce((sum, p, c) => sum + p * wealth[c]!, 0);
        assert.ok(computeExpectedLogWealth(probabilities, wealth) <= Math.log(mean) + 1e-9);
      }),
    );
  });
});
