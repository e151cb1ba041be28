import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { floorCents, roundCents, roundExact, roundMicros, subtractExact } from './decimal.ts';

describe('decimal rounding', () => {
  it('removes binary error from price differences', () => {
    assert.notEqual(0.55 - 0.35, 0.2);
    assert.equal(subtractExact(0.55, 0.35), 0.2);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1000 }), fc.integer({ min: 0, max: 1000 }), (a, b) => {
        assert.equal(subtractExact(a / 1000, b / 1000), (a - b) / 1000);
      }),
    );
  });

  it('floors to whole cents without losing one to binary error', () => {
    assert.equal(floorCents(1.2399), 1.23);
    assert.equal(floorCents(0.29 * 100 * 0.01), 0.29);
    assert.equal(floorCents(1.1 * 3), 3.3);
    assert.equal(roundCents(1.235), 1.24);
  });

  it('never returns negative zero', () => {
    for (const round of [roundExact, floorCents, roundCents, roundMicros]) {
      assert.ok(Object.is(round(-1e-12), 0));
      assert.ok(Object.is(round(-0), 0));
    }
  });

  it('does not change values that are already rounded', () => {
    const amounts = fc.double({ min: 0, max: 1e5, noNaN: true });
    fc.assert(
      fc.property(amounts, (usd) => {
        for (const round of [roundExact, floorCents, roundCents, roundMicros]) {
          assert.equal(round(round(usd)), round(usd));
        }
        assert.ok(floorCents(usd) <= usd + 1e-9 && floorCents(usd) > usd - 0.01 - 1e-9);
      }),
    );
  });
});
