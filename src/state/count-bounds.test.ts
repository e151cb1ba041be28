import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { boundCount } from './count-bounds.ts';
import type { EventState } from './snapshot.ts';

const state = (real: number | null, oracle: number | null, doubt?: EventState['doubt']) =>
  ({ counters: { real, oracle, ui: null }, ...(doubt ? { doubt } : {}) }) as EventState;

const PAST = { isPastMissing: true };

describe('bounds on our count', () => {
  it('are absent if every post is decided and the backfill is complete', () => {
    assert.deepEqual(boundCount(state(433, 462)), null);
    assert.deepEqual(boundCount(state(null, 462), PAST), null);
  });

  it('extend to the other counts while the backfill is incomplete', () => {
    assert.deepEqual(boundCount(state(433, 462), PAST), { low: 433, high: 462 });
    const doubt = { counted: 2, uncounted: 40 };
    assert.deepEqual(boundCount(state(433, 462, doubt), PAST), {
      low: 431,
      high: 473,
    });
  });

  it('reach down to the oracle while its last sync failed', () => {
    const oracle = { feed: 'oracle' as const, updatedTs: 0, staleAfterMs: 1, problem: null };
    const feeds = [{ ...oracle, alarm: 'the oracle reports that its last sync failed' }];
    assert.deepEqual(boundCount(state(433, 430), { feeds }), { low: 430, high: 433 });
    assert.deepEqual(boundCount(state(433, 430), { feeds: [oracle] }), null);
  });
});
