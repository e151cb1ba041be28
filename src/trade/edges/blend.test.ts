// De-vigging checked against published numbers.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { allNear } from '../../../test/support/near.ts';
import { devigPrices, findPower } from './blend.ts';

const vectors = JSON.parse(
  readFileSync(new URL('../../forecast/scoring/score-vectors.json', import.meta.url), 'utf8'),
);

const ladders = fc.array(fc.double({ min: 0.01, max: 0.9, noNaN: true }), { minLength: 2, maxLength: 12 });
const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);

describe('power de-vig', () => {
  it('matches the published values', () => {
    const { prices, power_k, power } = vectors.vig;
    assert.ok(Math.abs(findPower(prices) - power_k) < 1e-6);
    allNear(devigPrices(prices)!, power, 1e-6);
  });

  it('preserves the order of the prices, and leaves fair prices unchanged', () => {
    fc.assert(
      fc.property(ladders, (prices) => {
        const fair = devigPrices(prices)!;
        assert.ok(Math.abs(sumOf(fair) - 1) < 1e-9);
        prices.forEach((price, i) => {
          prices.forEach((other, j) => {
            if (price < other) assert.ok(fair[i]! <= fair[j]! + 1e-12);
          });
        });
        if (fair.every((p) => p > 1e-3 && p < 0.99)) allNear(devigPrices(fair)!, fair, 1e-6);
      }),
    );
  });

  it('lowers long shots more than proportional scaling would', () => {
    const prices = [0.05, 0.5, 0.55];
    assert.ok(devigPrices(prices)![0]! < 0.05 / sumOf(prices));
  });

  it('returns null if a price is missing', () => {
    assert.equal(devigPrices([0.5, null]), null);
    assert.equal(devigPrices([0.5]), null);
  });
});
