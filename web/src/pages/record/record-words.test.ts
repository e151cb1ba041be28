import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findOddLead, isAsIf } from './record-words.ts';

describe('a forecast', () => {
  it('counts as recomputed if its model version says so', () => {
    assert.equal(isAsIf({ model_version: 'core/1+backfill' }), true);
    assert.equal(isAsIf({ model_version: 'core/1' }), false);
  });
});

function leadOf(horizon: number, median: number | null, events: number) {
  const [low, high] = median === null ? [null, null] : [median - 2, median + 2];
  return { horizon, median_error_pct: median, low, high, events };
}

describe('a longer lead time with a smaller error', () => {
  it('is explained by its different sample', () => {
    assert.equal(
      findOddLead([leadOf(24, 4, 30), leadOf(48, 9, 30), leadOf(72, 8, 18)]),
      '48 h looks worse than 72 h (18 events at 72 h, 30 at 48 h: short events have no forecast that early). The intervals overlap.',
    );
  });

  it('needs no note if errors grow with the lead time or are unknown', () => {
    assert.equal(findOddLead([leadOf(24, 4, 30), leadOf(48, 9, 30), leadOf(72, 12, 18)]), null);
    assert.equal(findOddLead([leadOf(24, null, 0), leadOf(48, null, 0)]), null);
  });
});
