import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CoursePoint } from '../../../api/records.ts';
import { adviceChange, isLastLook, listChanges } from './changes.ts';

const BUCKETS = ['<100', '100-119', '120+'].map((bucket) => ({ bucket, low: 0, high: null }));
const THEN: CoursePoint = {
  timestamp: 0,
  real_counter: 80,
  market_oracle_counter: null,
  market_ui_counter: null,
  market_prices: [0.1, 0.3, null],
  forecast: { p5: 90, p50: 120, p95: 150 },
};
const prices = new Map([
  ['<100', 0.12],
  ['100-119', 0.2],
  ['120+', 0.9],
]);

describe('since the last visit', () => {
  it('lists changes in count, forecast and the price that moved most', () => {
    assert.deepEqual(listChanges(THEN, BUCKETS, { count: 95, p50: 118, prices }), [
      { what: 'Count', words: '80 to 95 (+15)' },
      { what: 'Forecast', words: '120 to 118 (\u22122)' },
      { what: 'Price', words: '100-119 30.0% to 20.0%, the largest change' },
    ]);
  });

  it('lists unchanged values, and nothing that the public view hides', () => {
    const { forecast: _, ...open } = THEN;
    const same = new Map([['<100', 0.1]]);
    assert.deepEqual(listChanges(open, BUCKETS, { count: 80, p50: null, prices: same }), [
      { what: 'Count', words: 'still 80' },
      { what: 'Price', words: 'no bucket moved' },
    ]);
  });

  it('lists new and ended advice for this event only', () => {
    const before = ['1 <100 BUY_NO', '2 40+ EXIT'];
    const after = ['1 120+ BUY_YES', '11 5+ BUY_YES'];
    assert.equal(adviceChange(before, after, 1).words, 'new: buy Yes on 120+; ended: buy No on <100');
    assert.equal(adviceChange(before, before, 1).words, 'unchanged');
  });

  it('infers nothing from missing data', () => {
    assert.equal(isLastLook({ ts: 5, advice: null }), true);
    for (const kept of [null, 'x', {}, { ts: 'x', advice: [] }, { ts: 1.5, advice: [] }, { ts: 1 }])
      assert.equal(isLastLook(kept), false);
  });
});
