import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { roundTicks } from './plots.ts';

describe('axis ticks', () => {
  it('are few, evenly spaced, and include both ends', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -1e6, max: 1e6, noNaN: true }),
        fc.double({ min: 1e-3, max: 1e6, noNaN: true }),
        (lo, width) => {
          const ticks = roundTicks(lo, lo + width);
          const slack = 1e-6 * Math.max(1, Math.abs(lo), width);
          assert.ok(ticks.length >= 3 && ticks.length <= 9, String(ticks.length));
          assert.ok(ticks[0]! <= lo + slack && ticks.at(-1)! >= lo + width - slack);
        },
      ),
    );
  });

  it('are round', () => {
    assert.deepEqual(roundTicks(0, 1), [0, 0.2, 0.4, 0.6000000000000001, 0.8, 1]);
    assert.deepEqual(roundTicks(3, 97), [0, 20, 40, 60, 80, 100]);
    assert.deepEqual(roundTicks(-30, 12), [-30, -20, -10, 0, 10, 20]);
  });
});
