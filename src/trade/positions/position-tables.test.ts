import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { classifyPositionSignal, classifyRecommendation } from './position-tables.ts';

const SIGNALS = ['SELL', 'AVOID', 'HOLD', 'BUY', 'STRONG_BUY'];
const RECOMMENDATIONS = ['CONSIDER_SELLING', 'MONITOR', 'HOLD', 'STRONG_HOLD'];
const finite = fc.double({ min: -200, max: 200, noNaN: true });

describe('position tables', () => {
  it('assign each boundary to the row below it', () => {
    assert.deepEqual([30, 10, 0, -10].map(classifyPositionSignal), ['BUY', 'HOLD', 'AVOID', 'SELL']);
    assert.deepEqual([0.2, 0.05, -0.05].map(classifyRecommendation), ['HOLD', 'MONITOR', 'CONSIDER_SELLING']);
  });

  it('are not moved across a boundary by binary error', () => {
    assert.equal(classifyPositionSignal(30 + 1e-12), 'BUY');
    assert.equal(classifyRecommendation(0.55 - 0.35), 'HOLD');
  });

  it('are monotone in the edge', () => {
    fc.assert(
      fc.property(finite, finite, (x, y) => {
        const [less, more] = [Math.min(x, y), Math.max(x, y)];
        const signal = (edge: number) => SIGNALS.indexOf(classifyPositionSignal(edge));
        const advice = (edge: number) => RECOMMENDATIONS.indexOf(classifyRecommendation(edge / 100));
        assert.ok(signal(less) <= signal(more));
        assert.ok(advice(less) <= advice(more));
      }),
    );
  });
});
