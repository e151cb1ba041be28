import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { countersOf, postOf } from '../../../packages/client-js/src/samples.test-support.ts';
import type { CountersRecord, PostRecord, SnapshotMessage } from '../api/records.ts';
import { type AccountState, applyMessage, createAccountState, toServerTs } from './account-state.ts';

const NOW = 1_700_000_000_000;
const COUNTS = { market_oracle_counter: 9, real_counter: 10, market_ui_counter: 8 };

function counters(change: Partial<CountersRecord> = {}): CountersRecord {
  const window = { start_ts: NOW - 1000, end_ts: NOW + 1000 };
  return countersOf({ ...window, ...COUNTS, display_delta: 2, internal_delta: -1, ...change });
}

const post = (id: string, change: Partial<PostRecord> = {}) =>
  postOf(Number(id), { created_ts: NOW + Number(id), ...change });

function snapshot(change: Partial<SnapshotMessage> = {}): SnapshotMessage {
  return {
    timestamp: NOW + 5000,
    account: 'account_a',
    tier: 'PRO',
    meta: [counters()],
    prediction: [
      {
        event_id: 1,
        ...COUNTS,
        markets: [{ title: '10-19', market_price: 0.4, model_prob: 0.5, edge: 0.1, signal: 'BUY' }],
      },
    ],
    posts: [post('2'), post('1')],
    ...change,
  };
}

function hear(state: AccountState, event: string, data: unknown): AccountState {
  return applyMessage(state, { event, data }, NOW);
}

const standing = hear(createAccountState('account_a'), 'snapshot', snapshot());

describe('account state', () => {
  it('takes the server clock from a snapshot', () => {
    assert.equal(toServerTs(standing.clock, NOW + 250), NOW + 5250);
    assert.equal(standing.heardTs, NOW);
  });

  it('shows a repeated post once, and marks its deletion in place', () => {
    const once = hear(hear(standing, 'post', post('3')), 'post', post('3'));
    assert.deepEqual(
      once.posts.map(({ tweet_id }) => tweet_id),
      ['3', '2', '1'],
    );
    const gone = hear(once, 'post', post('2', { is_deleted: true }));
    assert.equal(gone.posts.length, 3);
    assert.equal(gone.posts[1]?.is_deleted, true);
  });

  it('keeps posts that a snapshot no longer lists', () => {
    const later = hear(standing, 'snapshot', snapshot({ posts: [post('9')] }));
    assert.deepEqual(
      later.posts.map(({ tweet_id }) => tweet_id),
      ['9', '2', '1'],
    );
  });

  it('replaces the counters of one event and sorts events by end', () => {
    const two = hear(standing, 'counters', counters({ event_id: 2, end_ts: NOW + 500 }));
    const moved = hear(two, 'counters', counters({ real_counter: 11 }));
    assert.deepEqual(
      moved.meta.map(({ event_id, real_counter }) => [event_id, real_counter]),
      [
        [2, 10],
        [1, 11],
      ],
    );
  });

  it('drops an event missing from the next snapshot', () => {
    assert.deepEqual(hear(standing, 'snapshot', snapshot({ meta: [] })).meta, []);
  });

  it('updates the edge with the price', () => {
    const repriced = hear(standing, 'price', { event_id: 1, title: '10-19', market_price: 0.45 });
    const bucket = repriced.prediction[0]!.markets[0]!;
    assert.equal(bucket.market_price, 0.45);
    assert.ok(Math.abs(bucket.edge! - 0.05) < 1e-9);
  });

  it('adds no edge to the public view', () => {
    const open = hear(
      createAccountState('account_a'),
      'snapshot',
      snapshot({
        prediction: [{ event_id: 1, ...COUNTS, markets: [{ title: '10-19', market_price: 0.4 }] }],
      }),
    );
    const repriced = hear(open, 'price', { event_id: 1, title: '10-19', market_price: 0.5 });
    assert.deepEqual(repriced.prediction[0]!.markets[0], { title: '10-19', market_price: 0.5 });
  });

  it('marks a count stale when its feed is stale', () => {
    const stale = hear(standing, 'feed', {
      feed: 'own',
      stale: true,
      updated_ts: NOW,
      age_s: 90,
      problem: 'timeout',
    });
    assert.equal(stale.meta[0]!.feeds!.own!.stale, true);
  });

  it('extends the trail only when our count changes', () => {
    const same = hear(standing, 'counters', counters({ market_oracle_counter: 10 }));
    const moved = hear(same, 'counters', counters({ real_counter: 11 }));
    assert.deepEqual(
      moved.trails[1]!.map(({ count }) => count),
      [10, 11],
    );
  });

  it('ignores an unknown event', () => {
    assert.equal(hear(standing, 'weather', {}), standing);
  });
});
