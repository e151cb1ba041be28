import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { boundCount } from './count-bounds.ts';
import type { EventState } from './snapshot.ts';

const state = (real: number | null, oracle: number | null, doubt?: EventState['doubt']) =>
  ({ counters: { real, oracle, ui: null }, ...(doubt ? { doubt } : {}) }) as EventState;

describe('bounds on our count', () => {
  it('are absent if every post is decided and the backfill is complete', () => {
    assert.deepEqual(boundCount(state(433, 462)), null);
    assert.deepEqual(boundCount(state(null, 462), true), null);
  });

  it('extend to the other counts while the backfill is incomplete', () => {
    assert.deepEqual(boundCount(state(433, 462), true), { low: 433, high: 462 });
    const doubt = { counted: 2, uncounted: 40 };
    assert.deepEqual(boundCount(state(433, 462, doubt), true), {
      low: 431,
      high: 473,
    });
  });
});
