import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sampleEvent, samplePost, sampleQuote } from '../../test/store/samples.ts';
import { listChanges as compare } from './changes.ts';
import { type AccountSnapshot, createEmptySnapshot } from './snapshot.ts';

const NOW = 1_790_000_000_000;
const event = sampleEvent({ eventId: 1, window: { startTs: NOW - 10, endTs: NOW + 10 } });
const feed = { feed: 'own' as const, updatedTs: NOW, staleAfterMs: 1000, problem: null };

const post = (id: number) => samplePost({ postId: String(id), createdTs: NOW + id });

const listChanges = (before: AccountSnapshot, after: AccountSnapshot) => compare(before, after, 'post');

const base: AccountSnapshot = {
  ...createEmptySnapshot('a', NOW, [feed]),
  events: [
    {
      event,
      counters: { real: 1, oracle: 1, ui: null },
      oracleUpdatedTs: NOW,
      uiUpdatedTs: null,
      forecast: null,
    },
  ],
  recentPosts: [post(2), post(1)],
  quotes: { yes0: sampleQuote({ bid: 0.2, ask: 0.3, observedTs: NOW }) },
};

describe('listChanges', () => {
  it('reports nothing if only freshness changed', () => {
    const next = { ...base, feeds: [{ ...feed, updatedTs: NOW + 500 }], takenTs: NOW + 500 };
    assert.deepEqual(listChanges(base, next), []);
  });

  it('lists new posts oldest first, with the counters they changed', () => {
    const counted = { ...base.events[0]!, counters: { real: 3, oracle: 1, ui: null } };
    const next = { ...base, recentPosts: [post(4), post(3), post(2), post(1)], events: [counted] };
    assert.deepEqual(listChanges(base, next), [
      { kind: 'posts', captured: [post(3), post(4)], deleted: [] },
      {
        kind: 'count',
        eventId: 1,
        before: base.events[0]!.counters,
        after: counted.counters,
        reason: 'post',
      },
    ]);
  });

  it('reports a deletion by sending the post again', () => {
    const next = { ...base, recentPosts: [{ ...post(2), deletedTs: NOW + 5 }, post(1)] };
    const gone = { ...post(2), deletedTs: NOW + 5 };
    assert.deepEqual(listChanges(base, next), [{ kind: 'posts', captured: [], deleted: [gone] }]);
  });

  it('reports a price only when the published price changed', () => {
    const quote = base.quotes.yes0!;
    const sameMid = { ...base, quotes: { yes0: { ...quote, bidShares: 9 } } };
    const book = { kind: 'book', eventId: 1, bucket: '<40' };
    assert.deepEqual(listChanges(base, sameMid), [book]);
    const moved = { ...base, quotes: { yes0: { ...quote, bid: 0.22 } } };
    assert.deepEqual(listChanges(base, moved), [
      book,
      { kind: 'price', eventId: 1, bucket: '<40', price: 0.26 },
    ]);
  });

  it('reports a feed that became stale', () => {
    const next = { ...base, takenTs: NOW + 5000 };
    assert.deepEqual(listChanges(base, next), [{ kind: 'feed', feed: 'own', now: 'stale' }]);
  });

  it('reports the post feed when its past becomes incomplete or complete', () => {
    const incomplete = { ...base, isPastMissing: true };
    assert.deepEqual(listChanges(base, incomplete), [{ kind: 'feed', feed: 'own', now: 'fresh' }]);
    assert.deepEqual(listChanges(incomplete, base), [{ kind: 'feed', feed: 'own', now: 'fresh' }]);
    assert.deepEqual(listChanges(incomplete, incomplete), []);
  });

  it('reports a settlement once per revision', () => {
    const settled = {
      ...base,
      events: [{ ...base.events[0]!, settlement: { finalCount: 9, winningLabel: '<20', revision: 1 } }],
    };
    assert.deepEqual(
      listChanges(base, settled).map((change) => change.kind),
      ['settled'],
    );
    assert.deepEqual(listChanges(settled, settled), []);
  });
});
