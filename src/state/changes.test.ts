import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { MarketEvent } from '../domain/market-event.ts';
import type { CapturedPost } from '../domain/post.ts';
import { listChanges } from './changes.ts';
import { type AccountSnapshot, createEmptySnapshot } from './snapshot.ts';

const NOW = 1_790_000_000_000;
const bucket = {
  label: '<20',
  lo: 0,
  hi: 19,
  marketId: 'm',
  conditionId: 'c',
  yesTokenId: 'y',
  noTokenId: 'n',
  isOpen: true,
  tickSize: 0.01,
  minOrderShares: 5,
  fee: { rate: 0, exponent: 1 },
  listedPrice: 0.4,
};
const event: MarketEvent = {
  eventId: 1,
  accountId: 'a',
  title: 't',
  slug: 's',
  image: '',
  window: { startTs: NOW - 10, endTs: NOW + 10 },
  buckets: [bucket],
  isClosed: false,
};
const feed = { feed: 'own' as const, updatedTs: NOW, staleAfterMs: 1000, problem: null };

function post(id: number): CapturedPost {
  return {
    accountId: 'a',
    postId: String(id),
    rootPostId: String(id),
    createdTs: NOW + id,
    text: null,
    isReply: false,
    isQuote: false,
    isRetweet: false,
    isSelfReply: false,
    isCommunity: false,
    firstSeenTs: NOW,
    deletedTs: null,
    isCounted: true,
  };
}

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
  quotes: {
    y: {
      tokenId: 'y',
      bid: 0.2,
      ask: 0.3,
      bidShares: 1,
      askShares: 1,
      lastTradePrice: null,
      observedTs: NOW,
    },
  },
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
    const quote = base.quotes.y!;
    const sameMid = { ...base, quotes: { y: { ...quote, bidShares: 9 } } };
    assert.deepEqual(listChanges(base, sameMid), []);
    const moved = { ...base, quotes: { y: { ...quote, bid: 0.22 } } };
    assert.deepEqual(listChanges(base, moved), [
      { kind: 'price', eventId: 1, bucketLabel: '<20', marketPrice: 0.26 },
    ]);
  });

  it('reports a feed that became stale', () => {
    const next = { ...base, takenTs: NOW + 5000 };
    assert.deepEqual(listChanges(base, next), [{ kind: 'feed', feed: 'own' }]);
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
