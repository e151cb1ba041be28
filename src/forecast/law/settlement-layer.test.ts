import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { lawMean, probabilityOf, shiftLaw, trimLaw } from './law.ts';
import { negativeBinomialPmf } from './negative-binomial.ts';
import { settleLaw } from './settlement-layer.ts';

const law = shiftLaw(trimLaw(0, negativeBinomialPmf(30, 5)), 100);

describe('settlement layer', () => {
  it('leaves the law alone where no oracle has spoken', () => {
    assert.equal(settleLaw(law, 100, undefined), law);
    assert.equal(settleLaw(law, 100, { count: null, deletedSinceLastCatchUp: 3 }), law);
  });

  it('moves almost nothing when the oracle agrees', () => {
    const settled = settleLaw(law, 100, { count: 100, deletedSinceLastCatchUp: 0 });
    assert.ok(Math.abs(lawMean(settled) - lawMean(law)) < 0.01);
  });

  it('shifts up by what an oracle ahead of us has seen', () => {
    const settled = settleLaw(law, 100, { count: 104, deletedSinceLastCatchUp: 0 });
    assert.ok(Math.abs(lawMean(settled) - lawMean(law) - 4) < 0.01);
  });

  it('halves the pending posts that were deleted before it looked', () => {
    const settled = settleLaw(law, 100, { count: 96, deletedSinceLastCatchUp: 4 });
    assert.ok(Math.abs(lawMean(settled) - (lawMean(law) - 2)) < 0.05);
  });

  it('never settles below what the oracle shows', () => {
    const settled = settleLaw(law, 100, { count: 99, deletedSinceLastCatchUp: 1 });
    assert.equal(probabilityOf(settled, 98), 0);
    assert.ok(settled.from >= 99);
  });
});
