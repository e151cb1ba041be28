import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { CoreState } from './core-state.ts';
import { FIXED_PARAMETERS } from './fixed-state.ts';
import { comingShape } from './state-path.ts';

const state: CoreState = {
  mean: [0.1, -0.2, 3.6],
  cov: [0.03, -0.01, 0, 0.05, -0.005, 0.01],
  spread: 1,
};

describe('remaining load', () => {
  it('has the exact moments of the worked example', () => {
    const blocks = { exposures: new Float64Array([1, 1.1, 0.9, 0.5]), shares: new Float64Array(4).fill(1) };
    const { mean, logVariance } = comingShape(state, FIXED_PARAMETERS, blocks);
    const variance = mean ** 2 * Math.expm1(logVariance);
    assert.ok(Math.abs(mean - 122.77044) < 1e-5);
    assert.ok(Math.abs(variance + mean - 2149.3662) < 1e-4);
  });

  it('is zero without remaining exposure', () => {
    const none = { exposures: new Float64Array([0]), shares: new Float64Array([1]) };
    assert.equal(comingShape(state, FIXED_PARAMETERS, none).mean, 0);
  });

  it('has a mean that grows with the number of equal days', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 20 }),
        fc.double({ min: -2, max: 3, noNaN: true }),
        (days, level) => {
          const still: CoreState = { mean: [0, 0, level], cov: [0.02, 0, 0, 0.02, 0, 0.02], spread: 1 };
          const over = (n: number) =>
            comingShape(still, FIXED_PARAMETERS, {
              exposures: new Float64Array(n).fill(24),
              shares: new Float64Array(n).fill(1),
            });
          assert.ok(over(days + 1).mean > over(days).mean);
        },
      ),
      { numRuns: 100, seed: 7 },
    );
  });
});
