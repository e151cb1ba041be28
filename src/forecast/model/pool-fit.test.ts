import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { learnWeights, sharedWeights, weightsAt } from './pool-fit.ts';
import { MEMBERS, SHARED_KNOWLEDGE, WEIGHT_HOURS } from './shared-coefficients.ts';

const sum = (values: Float64Array) => values.reduce((total, x) => total + x, 0);

describe('pool', () => {
  it('has weights that sum to 1 at any lead and change smoothly', () => {
    const fits = WEIGHT_HOURS.map((hours) => ({
      hours,
      weights: sharedWeights(SHARED_KNOWLEDGE, hours),
      miss: 0,
    }));
    fc.assert(
      fc.property(fc.double({ min: 0, max: 800, noNaN: true }), (lead) => {
        const weights = weightsAt(fits, lead);
        const next = weightsAt(fits, lead + 0.1);
        assert.ok(Math.abs(sum(weights) - 1) < 1e-9);
        assert.ok(weights.every((weight, k) => weight >= 0 && Math.abs(weight - next[k]!) < 0.02));
      }),
      { numRuns: 300, seed: 2 },
    );
  });

  it('starts from the shared weights', () => {
    const shared = sharedWeights(SHARED_KNOWLEDGE, 72);
    assert.deepEqual([...learnWeights(shared, [], [])].map(round), [...shared].map(round));
  });

  it('shifts weight to the member that was right, more slowly if windows overlap', () => {
    const shared = sharedWeights(SHARED_KNOWLEDGE, 168);
    const calm = MEMBERS.indexOf('calm');
    const windows = Array.from({ length: 40 }, () =>
      Float64Array.from(MEMBERS, (_, k) => (k === calm ? 0.05 : 0.02)),
    );
    const whole = learnWeights(
      shared,
      windows,
      windows.map(() => 1),
    );
    const overlapping = learnWeights(
      shared,
      windows,
      windows.map(() => 0.1),
    );
    assert.ok(Math.abs(sum(whole) - 1) < 1e-9);
    assert.ok(whole[calm]! > 0.3 && whole[calm]! > overlapping[calm]!, `${whole[calm]}`);
    assert.ok(overlapping[calm]! > shared[calm]!);
  });
});

function round(x: number): number {
  return Math.round(x * 1e9) / 1e9;
}
