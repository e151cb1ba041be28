import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createChangeTracker } from './change-tracker.ts';
import { countersOf, postOf, predictionOf, snapshotOf } from './samples.test-support.ts';

const kinds = (reported: readonly { event: string }[]) => reported.map(({ event }) => event);

describe('change tracker', () => {
  it('returns the first snapshot unchanged, and nothing for an identical or an older one', () => {
    const first = snapshotOf({ posts: [postOf(2)] });
    const tracker = createChangeTracker();
    assert.deepEqual(tracker.take(first), [first]);
    assert.deepEqual(tracker.take(first), []);
    assert.deepEqual(tracker.take(snapshotOf({ posts: [postOf(2), postOf(1)] })), []);
  });

  it('reports the changes in a second snapshot, posts oldest first', () => {
    const tracker = createChangeTracker();
    tracker.take(snapshotOf({ posts: [postOf(1)] }));
    const reported = tracker.take(
      snapshotOf({
        posts: [postOf(3), postOf(2), postOf(1)],
        meta: [countersOf({ real_counter: 3 })],
        prediction: [predictionOf({ forecast: { p5: 1, p50: 2, p95: 4 } }, 0.6)],
        settlements: [{ event_id: 7, final_count: 12, winning_bucket: '10-19', revision: 1 }],
      }),
    );
    assert.deepEqual(kinds(reported), ['post', 'post', 'counters', 'forecast', 'price', 'settlement']);
    assert.deepEqual(
      reported.flatMap((change) => (change.event === 'post' ? [change.data.tweet_id] : [])),
      ['2', '3'],
    );
  });

  it('compares a snapshot with the individual messages before it', () => {
    const tracker = createChangeTracker();
    tracker.take(snapshotOf({}));
    tracker.take({ id: '2', event: 'counters', data: countersOf({ real_counter: 9 }) });
    tracker.take({ id: '3', event: 'price', data: { event_id: 1, title: '10-19', market_price: 0.9 } });
    const same = { meta: [countersOf({ real_counter: 9 })], prediction: [predictionOf({}, 0.9)] };
    assert.deepEqual(tracker.take(snapshotOf(same)), []);
  });

  it('reports a feed that became stale in the meantime', () => {
    const tracker = createChangeTracker();
    tracker.take(snapshotOf({}));
    const dark = countersOf({});
    dark.feeds = { ...dark.feeds, oracle: { updated_ts: 1, age_s: 900, stale: true } };
    const [reported] = tracker.take(snapshotOf({ meta: [dark] }));
    assert.equal(reported?.event === 'feed' && reported.data.feed, 'oracle');
  });

  it('reports a deletion once, no matter how it arrives', () => {
    const tracker = createChangeTracker();
    tracker.take(snapshotOf({ posts: [postOf(1)] }));
    const gone = postOf(1, { is_deleted: true });
    assert.equal(tracker.take({ id: '2', event: 'post', data: gone }).length, 1);
    assert.deepEqual(tracker.take(snapshotOf({ posts: [gone] })), []);
  });

  it('reports every post exactly once, even across restarts', () => {
    // Each step creates some posts; the client receives them one by one or in a snapshot of the latest 15.
    const step = fc.record({ made: fc.nat(15), isRestart: fc.boolean(), repeats: fc.nat(3) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const tracker = createChangeTracker();
        let newest = 1;
        const latest = () => Array.from({ length: Math.min(15, newest) }, (_, i) => postOf(newest - i));
        tracker.take(snapshotOf({ posts: latest() }));
        const reported: number[] = [];
        const hear = (message: Parameters<typeof tracker.take>[0]) => {
          for (const change of tracker.take(message))
            if (change.event === 'post') reported.push(Number(change.data.tweet_id));
        };
        for (const { made, isRestart, repeats } of steps) {
          const from = newest + 1;
          newest += made;
          if (isRestart) hear(snapshotOf({ posts: latest() }));
          const firstHeard = Math.max(2, isRestart ? newest - repeats : from);
          for (let id = firstHeard; id <= newest; id++) hear({ id: '', event: 'post', data: postOf(id) });
        }
        assert.deepEqual(
          reported,
          Array.from({ length: newest - 1 }, (_, i) => i + 2),
        );
      }),
      { seed: 7 },
    );
  });
});
