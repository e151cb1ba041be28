import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sampleEvent, samplePost, sampleQuote } from '../../test/store/samples.ts';
import { listChanges } from './changes.ts';
import { type AccountSnapshot, createEmptySnapshot } from './snapshot.ts';

const NOW = 1_790_000_000_000;
const event = sampleEvent({ eventId: 1, window: { startTs: NOW - 10, endTs: NOW + 10 } });
const feed = { feed: 'own' as const, updatedTs: NOW, staleAfterMs: 1000, problem: null };

const post = (id: number) => samplePost({ postId: String(id), createdTs: NOW + id });

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
    const kinds = listChanges(base, next).map((change) =>
      change.kind === 'post' ? `post ${change.post.postId}` : change.kind,
    );
    assert.deepEqual(kinds, ['post 3', 'post 4', 'counters']);
  });

  it('reports a deletion by sending the post again', () => {
    const next = { ...base, recentPosts: [{ ...post(2), deletedTs: NOW + 5 }, post(1)] };
    assert.deepEqual(
      listChanges(base, next).map((change) => change.kind),
      ['post'],
    );
  });

  it('reports a price only when the published price changed', () => {
    const quote = base.quotes.yes0!;
    const sameMid = { ...base, quotes: { yes0: { ...quote, bidShares: 9 } } };
    assert.deepEqual(listChanges(base, sameMid), []);
    const moved = { ...base, quotes: { yes0: { ...quote, bid: 0.22 } } };
    assert.deepEqual(listChanges(base, moved), [
      { kind: 'price', eventId: 1, bucketLabel: '<40', marketPrice: 0.26 },
    ]);
  });

  it('reports a feed that became stale', () => {
    const next = { ...base, takenTs: NOW + 5000 };
    assert.deepEqual(listChanges(base, next), [{ kind: 'feed', feed: 'own' }]);
  });

  it('reports the post feed when its past becomes incomplete or complete', () => {
    const incomplete = { ...base, isPastMissing: true };
    assert.deepEqual(listChanges(base, incomplete), [{ kind: 'feed', feed: 'own' }]);
    assert.deepEqual(listChanges(incomplete, base), [{ kind: 'feed', feed: 'own' }]);
    assert.deepEqual(listChanges(incomplete, incomplete), []);
  });

  it('reports a settlement once per revision', () => {
    const settled = {
      ...base,
      events: [{ ...base.events[0]!, settlement: { finalCount: 9, winningLabel: '<20', revision: 1 } }],
    };
    assert.deepEqual(
      listChanges(base, settled).map((change) => change.kind),
      ['settlement'],
    );
    assert.deepEqual(listChanges(settled, settled), []);
  });
});
