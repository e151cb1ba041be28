import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { comingLoad, loadMoments } from './coming-load.ts';
import { STATE_EXPERTS } from './experts.ts';
import type { RateState, StateSpaceParameters } from './state-space.ts';

const worked: StateSpaceParameters = {
  fastDays: 1.8,
  fastSd: 0.28,
  slowDays: 40,
  slowSd: 0.5,
  levelStepSd: 0,
  noise: { kind: 'burst', daySd: 0.3 },
};
const state: RateState = { mean: [0.1, -0.2, 3.6], cov: [0.03, -0.01, 0, 0.05, -0.005, 0.01] };
const blocks = { exposures: new Float64Array([1, 1.1, 0.9, 0.5]), shares: new Float64Array(4).fill(1) };

describe('the coming load', () => {
  it('has the exact moments of the worked example', () => {
    const { mean, variance } = loadMoments(state, worked, blocks, 0.3 ** 2);
    assert.ok(Math.abs(mean - 122.77044) < 1e-5);
    assert.ok(Math.abs(variance + mean - 2149.3662) < 1e-4);
    assert.ok(Math.abs(mean ** 2 / variance - 7.43739) < 1e-5);
  });

  it('keeps a gamma day at its own width: one day, nothing else uncertain', () => {
    const sure: RateState = { mean: [0, 0, 1], cov: [1e-9, 0, 0, 1e-9, 0, 1e-9] };
    const expert: StateSpaceParameters = {
      ...worked,
      fastSd: 1e-6,
      slowSd: 1e-6,
      noise: { kind: 'gamma', size: 5 },
    };
    const day = { exposures: new Float64Array([24]), shares: new Float64Array([1]) };
    const { mean, size, logVariance } = comingLoad(sure, expert, day);
    assert.ok(Math.abs(mean - 24 * Math.E) < 1e-5 && Math.abs(size - 5) < 1e-4 && logVariance < 1e-8);
  });

  it('says nothing is coming where no exposure is left', () => {
    const none = { exposures: new Float64Array([0]), shares: new Float64Array([1]) };
    for (const expert of STATE_EXPERTS) assert.equal(comingLoad(state, expert, none).mean, 0);
  });

  it('grows in mean, and narrows relatively, as a window of even days grows', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 20 }),
        fc.constantFrom(...STATE_EXPERTS),
        fc.double({ min: -2, max: 3, noNaN: true }),
        (days, expert, level) => {
          const still: RateState = { mean: [0, 0, level], cov: [0.02, 0, 0, 0.02, 0, 0.02] };
          const over = (n: number) =>
            comingLoad(still, expert, {
              exposures: new Float64Array(n).fill(24),
              shares: new Float64Array(n).fill(1),
            });
          const [short, long] = [over(days), over(days + 1)];
          assert.ok(long.mean > short.mean);
          assert.ok([...Object.values(short), ...Object.values(long)].every((x) => x > 0));
        },
      ),
      { numRuns: 200, seed: 7 },
    );
  });
});
