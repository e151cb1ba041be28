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
    assert.deepEqual(boundCount(state(35, 35), PAST), null, 'both bounds would be 35');
  });

  it('extend to the other counts while the backfill is incomplete', () => {
    assert.deepEqual(boundCount(state(433, 462), PAST), { low: 433, high: 462 });
    const doubt = { counted: 2, uncounted: 40 };
    assert.deepEqual(boundCount(state(433, 462, doubt), PAST), { low: 431, high: 473 });
  });

  it('include replies to itself that the oracle has judged otherwise', () => {
    const record = { posts: 19, ours: 19, low: 17, high: 17, share: 0.9 };
    const countedKinds = { windows: 9, unexplained: 0, records: [{ kind: 'ownThread' as const, ...record }] };
    const doubt = { counted: 1, uncounted: 2, ownThread: 3, otherThread: 4 };
    assert.deepEqual(boundCount(state(337, 330, doubt), { countedKinds }), { low: 333, high: 339 });
    assert.deepEqual(boundCount(state(337, 330, doubt)), { low: 336, high: 339 });
    const { counted: _, ...replies } = { ...doubt, uncounted: 0 };
    assert.equal(boundCount(state(337, 330, { counted: 0, ...replies })), null, 'nothing learned yet');
  });

  it('reach down to the oracle while its last sync failed', () => {
    const oracle = { feed: 'oracle' as const, updatedTs: 0, staleAfterMs: 1, problem: null };
    const feeds = [{ ...oracle, alarm: 'the oracle reports that its last sync failed' }];
    assert.deepEqual(boundCount(state(433, 430), { feeds }), { low: 430, high: 433 });
    assert.deepEqual(boundCount(state(433, 430), { feeds: [oracle] }), null);
  });
});
