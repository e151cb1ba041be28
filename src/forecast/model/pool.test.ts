import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { certainDistribution } from '../distribution/distribution.ts';
import { poolDistributions, poolWeights, STEADY_LEAVES_HOURS } from './pool.ts';

describe('the pool', () => {
  it('gives weights that sum to 1 at any lead, and move without a jump', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 800, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (lead, stateShare) => {
          const weights = poolWeights(lead, stateShare);
          const next = poolWeights(lead + 0.1, stateShare);
          const names = ['core', 'states', 'rates', 'session', 'steady'] as const;
          assert.ok(Math.abs(names.reduce((sum, name) => sum + weights[name], 0) - 1) < 1e-12);
          assert.ok(names.every((name) => weights[name] >= 0 && Math.abs(weights[name] - next[name]) < 0.01));
        },
      ),
      { numRuns: 300, seed: 2 },
    );
  });

  it('asks the plain rate for the coming hours only, and the bank from a day on', () => {
    const soon = poolWeights(3, 0.6);
    const late = poolWeights(STEADY_LEAVES_HOURS, 0.6);
    assert.deepEqual([soon.states, soon.rates, late.steady], [0, 0, 0]);
    assert.ok(late.states > late.rates && late.rates > 0);
  });

  it('listens to the session less, and to the core more, the longer the lead', () => {
    const leads = [3, 15, 20, 40].map((lead) => poolWeights(lead, 0.5));
    leads.slice(1).forEach((late, i) => {
      assert.ok(late.session <= leads[i]!.session && late.core > leads[i]!.core);
    });
    assert.ok(leads[3]!.session > 0);
  });

  it('mixes distributions by their weights', () => {
    const distributions = {
      core: certainDistribution(9),
      states: certainDistribution(1),
      rates: certainDistribution(2),
      session: certainDistribution(3),
      steady: certainDistribution(4),
    };
    const { from, pmf } = poolDistributions(distributions, {
      core: 0,
      states: 0.5,
      rates: 0.25,
      session: 0,
      steady: 0.25,
    });
    assert.deepEqual([from, ...pmf], [1, 0.5, 0.25, 0, 0.25]);
  });
});
