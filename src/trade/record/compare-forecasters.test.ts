import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createRandom } from '../../runtime/random.ts';
import { PRIOR_EVIDENCE } from '../edges/prior-evidence.ts';
import { compareForecasters, type ScoredLadder } from './compare-forecasters.ts';

const ladder = (prices: (number | null)[]): ScoredLadder => ({
  horizonH: 24,
  buckets: [0.2, 0.8].map((probability, i) => ({ probability, won: i === 1, marketPrice: prices[i]! })),
});

function returnsOf(prices: (number | null)[]) {
  const rows = compareForecasters([ladder(prices)], createRandom(1), () => PRIOR_EVIDENCE);
  return Object.fromEntries(rows.map(({ name, returnOnStake }) => [name, returnOnStake.mean]));
}

describe('compareForecasters', () => {
  it('computes the return on a stake spread by forecast probability at the given prices', () => {
    const { model, market } = returnsOf([0.55, 0.5]);
    assert.equal(model, 0.8 / 0.5 - 1);
    assert.ok(market! < 0 && market! > -0.1, 'the market loses its margin');
  });

  it('stakes only on buckets with a price, and never buys below a cent', () => {
    assert.equal(returnsOf([null, 0.5]).model, 1);
    assert.equal(returnsOf([0.5, null]).model, null);
    assert.equal(returnsOf([0.9, 0.001]).model, 0.8 / 0.01 - 1);
  });
});
