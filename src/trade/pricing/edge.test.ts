import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { computeEdgePercent } from './edge.ts';

describe('edge in percent', () => {
  it('is the edge relative to the price, without binary error', () => {
    assert.equal(computeEdgePercent(0.55 - 0.35, 0.4), 50);
    assert.equal(computeEdgePercent(0.3 - 0.1, 0.1), 200);
    assert.equal(computeEdgePercent(-0.05, 0.2), -25);
  });

  it('has no price floor, and is 0 at price 0', () => {
    assert.equal(computeEdgePercent(0.01, 0.001), 1000);
    assert.equal(computeEdgePercent(0.2, 0), 0);
  });

  it('has the sign of the edge at every whole-cent price', () => {
    const cents = fc.integer({ min: 1, max: 99 });
    fc.assert(
      fc.property(cents, cents, (p, price) => {
        const percent = computeEdgePercent(p / 100 - price / 100, price / 100);
        assert.equal(Math.sign(percent), Math.sign(p - price));
      }),
    );
  });
});
