import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { presentBounds } from './count-bounds.ts';
import type { EventState } from './snapshot.ts';

const state = (real: number | null, oracle: number | null, doubt?: EventState['doubt']) =>
  ({ counters: { real, oracle, ui: null }, ...(doubt ? { doubt } : {}) }) as EventState;

describe('bounds on our count', () => {
  it('are absent if every post is decided and the backfill is complete', () => {
    assert.deepEqual(presentBounds(state(433, 462)), {});
    assert.deepEqual(presentBounds(state(null, 462), true), {});
  });

  it('extend to the other counts while the backfill is incomplete', () => {
    assert.deepEqual(presentBounds(state(433, 462), true), { real_counter_low: 433, real_counter_high: 462 });
    const doubt = { counted: 2, uncounted: 40 };
    assert.deepEqual(presentBounds(state(433, 462, doubt), true), {
      real_counter_low: 431,
      real_counter_high: 473,
    });
  });
});
