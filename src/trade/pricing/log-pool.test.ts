// Pooling against numbers worked out elsewhere.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { allNear } from '../../../test/support/near.ts';
import { poolLogarithmically } from './log-pool.ts';

const vectors = JSON.parse(
  readFileSync(new URL('../../forecast/scoring/score-vectors.json', import.meta.url), 'utf8'),
);

const ladders = fc.array(fc.double({ min: 0.01, max: 0.9, noNaN: true }), { minLength: 2, maxLength: 12 });
const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);

describe('logarithmic pool', () => {
  it('is the printed one', () => {
    const { model, market, w, pool } = vectors.logpool;
    allNear(poolLogarithmically(model, market, w), pool, 1e-7);
  });

  it('is the model at weight 1, the market at weight 0, and sums to 1 between', () => {
    fc.assert(
      fc.property(ladders, fc.double({ min: 0, max: 1, noNaN: true }), (raw, weight) => {
        const model = raw.map((value) => value / sumOf(raw));
        const market = model.toReversed();
        allNear(poolLogarithmically(model, market, 1), model, 1e-9);
        allNear(poolLogarithmically(model, market, 0), market, 1e-9);
        assert.ok(Math.abs(sumOf(poolLogarithmically(model, market, weight)) - 1) < 1e-9);
      }),
    );
  });

  it('keeps out what the model rules out', () => {
    assert.equal(poolLogarithmically([0, 0.4, 0.6], [0.5, 0.3, 0.2], 0.3)[0], 0);
  });

  it('is the model itself where market and model rule out all of each other', () => {
    assert.deepEqual(poolLogarithmically([1, 0], [0, 1], 0.5), [1, 0]);
  });
});
