// The recorder on a real embedded store. Posts are durable before they are counted, are counted once, and have the
// same count after a restart.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { completeProfile } from '../../src/domain/account-profile.ts';
import type { MarketEvent } from '../../src/domain/market-event.ts';
import type { Post } from '../../src/domain/post.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/domain/units.ts';
import { createAccountRecorder } from '../../src/ingest/recorder/account-recorder.ts';
import { createCaptureDelays } from '../../src/ingest/recorder/capture-delays.ts';
import { rebuildSnapshot } from '../../src/ingest/recorder/rebuild.ts';
import { createManualClock } from '../../src/runtime/clock.ts';
import { createBoard } from '../../src/state/board.ts';
import type { Store } from '../../src/store/ports.ts';
import { sampleEvent, samplePost } from '../store/samples.ts';
import { openTempStore } from '../support/temp-store.ts';
import { violationsDuring } from '../support/violations.ts';

const START = Date.UTC(2026, 8, 1, 16);
const FEEDS = [{ feed: 'own' as const, updatedTs: null, staleAfterMs: 30_000, problem: null }];
const account = completeProfile({ accountId: 'a', handle: 'someone', platformUserId: '7' }, 0);
const event = sampleEvent({
  eventId: 11,
  window: { startTs: START, endTs: START + 7 * DAY_MS },
  buckets: [],
});

const TERMS = { venue: 'polymarket', settlementSource: 'oracle' } as unknown as NonNullable<
  MarketEvent['terms']
>;

function post(id: number, offsetMs: number, change: Partial<Post> = {}): Post {
  return samplePost({ postId: String(id), createdTs: START + offsetMs, text: `post ${id}`, ...change });
}

describe('the account recorder on the embedded store', () => {
  const clock = createManualClock(START + HOUR_MS);
  let store: Store;

  before(async () => {
    ({ store } = await openTempStore(clock));
  });
  after(() => store.close());

  async function open(through: Store = store) {
    const initial = await rebuildSnapshot(through, account, FEEDS, clock.now());
    return createAccountRecorder({
      ...{ account, initial, store: through, board: createBoard(), clock },
      ...{ delays: createCaptureDelays(), blankTextOnDeletion: false },
    });
  }

  it('counts a post once, even if it is seen repeatedly and in different batches', async () => {
    const recorder = await open();
    await recorder.feedAnswered('own');
    await recorder.listEvents([event]);
    await Promise.all([
      recorder.capture([post(1, 10), post(2, 20)], 'live'),
      recorder.capture([post(2, 20), post(3, 30)], 'live'),
    ]);
    assert.equal(recorder.snapshot().events[0]!.counters.real, 3);
  });

  it('counts self-replies but no other replies', async () => {
    const recorder = await open();
    await recorder.listEvents([event]);
    await recorder.capture(
      [post(6, 50, { isReply: true }), post(7, 51, { isReply: true, isSelfReply: true })],
      'live',
    );
    assert.equal(recorder.snapshot().events[0]!.counters.real, 4);
  });

  it('has the same counts after a restart, including captured posts that were deleted', async () => {
    const recorder = await open();
    await recorder.listEvents([event]);
    await recorder.markDeleted(['1'], clock.now());
    await recorder.readCounts('oracle', [{ eventId: 11, count: 3 }]);
    const live = recorder.snapshot();
    const rebuilt = await rebuildSnapshot(store, account, FEEDS, clock.now());
    assert.deepEqual(rebuilt.events, live.events);
    assert.deepEqual(rebuilt.recentPosts, live.recentPosts);
    assert.equal(rebuilt.totalPosts, live.totalPosts);
    assert.equal(rebuilt.recentPosts.find((each) => each.postId === '1')!.deletedTs, clock.now());
  });

  it('accepts a count that falls after a deletion, and reports a fall without one', async () => {
    let missing = 0;
    const countWindows: Store['posts']['countWindows'] = async (accountId, windows, rule) => {
      const found = await store.posts.countWindows(accountId, windows, rule);
      return found.map((each) => ({ ...each, real: each.real - (rule ? missing : 0) }));
    };
    const recorder = await open({ ...store, posts: { ...store.posts, countWindows } });
    const countingRule = { ...account.countingRule, deletedPosts: false };
    const dropping = { ...event, eventId: 12, terms: { ...TERMS, countingRule } };
    const findCount = () =>
      recorder.snapshot().events.find((state) => state.event.eventId === 12)!.counters.real!;
    await recorder.capture([post(91, 1), post(92, 2)], 'live');
    await recorder.listEvents([dropping]);
    const before = findCount();
    assert.deepEqual(await violationsDuring(() => recorder.markDeleted(['91'], clock.now())), []);
    assert.equal(findCount(), before - 1);
    // Falls by more than the window's uncertain posts, which may turn out not to count.
    missing = 2;
    clock.advance(MINUTE_MS);
    assert.deepEqual(await violationsDuring(() => recorder.listEvents([dropping])), ['count-fell']);
  });

  it('restores settlements in their latest revision after a restart', async () => {
    const verdict = { eventId: 11, accountId: account.accountId, winningLabel: null, source: 'oracle' };
    await store.settlements.record({ ...verdict, finalCount: 3, settledTs: clock.now() });
    await store.settlements.record({ ...verdict, finalCount: 4, settledTs: clock.now() });
    const rebuilt = await rebuildSnapshot(store, account, FEEDS, clock.now());
    const settled = { finalCount: 4, winningLabel: null, revision: 2 };
    assert.deepEqual(rebuilt.events.find(({ event: { eventId } }) => eventId === 11)?.settlement, settled);
  });

  it('publishes nothing that the store rejected', async () => {
    const refusing: Store = {
      ...store,
      posts: { ...store.posts, recordCaptures: () => Promise.reject(new Error('disk full')) },
    };
    const recorder = await open(refusing);
    await recorder.listEvents([event]);
    const realBefore = recorder.snapshot().events[0]!.counters.real;
    await assert.rejects(recorder.capture([post(8, 60)], 'live'), /disk full/);
    assert.equal(recorder.snapshot().events[0]!.counters.real, realBefore);
  });

  it("shows a post that was written even if the store's response was lost", async () => {
    let isLosing = true;
    const forgetful: Store = {
      ...store,
      posts: {
        ...store.posts,
        async recordCaptures(posts) {
          const fresh = await store.posts.recordCaptures(posts);
          if (isLosing) throw new Error('connection lost');
          return fresh;
        },
      },
    };
    const recorder = await open(forgetful);
    await recorder.listEvents([event]);
    const before = recorder.snapshot();
    await assert.rejects(recorder.capture([post(20, 70)], 'live'), /connection lost/);
    isLosing = false;
    await recorder.capture([post(20, 70), post(21, 80)], 'live');
    const shown = recorder.snapshot();
    assert.equal(shown.totalPosts, before.totalPosts + 2);
    assert.equal(shown.events[0]!.counters.real, before.events[0]!.counters.real! + 2);
    assert.deepEqual(
      shown.recentPosts.slice(0, 2).map(({ postId }) => postId),
      ['21', '20'],
    );
  });

  it('stores an event and counts its posts again only after a change or a minute', async () => {
    const calls: string[] = [];
    const upsert: Store['events']['upsert'] = (listed) => {
      calls.push('store');
      return store.events.upsert(listed);
    };
    const countWindows: Store['posts']['countWindows'] = (...asked) => {
      calls.push('count');
      return store.posts.countWindows(...asked);
    };
    const noting = { ...store, events: { ...store.events, upsert }, posts: { ...store.posts, countWindows } };
    const recorder = await open(noting);
    await recorder.listEvents([{ ...event, eventId: 13 }]);
    const listed = recorder.snapshot().events;
    calls.length = 0;
    await recorder.listEvents([{ ...event, eventId: 13 }]);
    assert.equal(recorder.snapshot().events, listed);
    assert.deepEqual(calls, []);
    await recorder.listEvents([{ ...event, eventId: 13, isClosed: true }]);
    assert.deepEqual(calls, ['store', 'count']);
    clock.advance(MINUTE_MS);
    await recorder.listEvents([{ ...event, eventId: 13, isClosed: true }]);
    assert.deepEqual(calls, ['store', 'count', 'count']);
  });

  it('shows imported posts within a minute, after events are listed', async () => {
    const recorder = await open();
    await recorder.listEvents([event]);
    const before = recorder.snapshot();
    const capture = { ...post(30, 90), firstSeenTs: clock.now(), deletedTs: null, isCounted: true };
    await store.posts.recordCaptures([capture]);
    clock.advance(MINUTE_MS);
    await recorder.listEvents([event]);
    const shown = recorder.snapshot();
    assert.equal(shown.totalPosts, before.totalPosts + 1);
    assert.equal(shown.recentPosts[0]!.postId, '30');
  });

  it('dates a feed by when its response arrived, even if earlier writes are slow', async () => {
    const written = Promise.withResolvers<[]>();
    const slow: Store = { ...store, posts: { ...store.posts, recordDeletions: () => written.promise } };
    const recorder = await open(slow);
    const answeredTs = clock.now();
    const marking = recorder.markDeleted(['1'], answeredTs);
    const answered = recorder.feedAnswered('own');
    clock.advance(60_000);
    written.resolve([]);
    await Promise.all([marking, answered]);
    assert.equal(recorder.snapshot().feeds[0]!.updatedTs, answeredTs);
  });

  it('neither shows nor stores a quote older than the current one', async () => {
    const recorder = await open();
    const quote = { tokenId: 'yes', bid: null, ask: 0.02, bidShares: null, askShares: 9, observedTs: START };
    const older = { ...quote, lastTradePrice: 0.01 };
    await recorder.readQuotes([older]);
    const { version } = recorder.snapshot();
    await recorder.readQuotes([{ ...older, observedTs: START + 200 }]);
    assert.equal(
      recorder.snapshot().version,
      version,
      'a quote that only confirms the last one changes nothing',
    );
    await recorder.readQuotes([{ ...quote, lastTradePrice: 0.02, observedTs: START + 100 }]);
    assert.equal(recorder.snapshot().quotes.yes!.lastTradePrice, 0.01);
    assert.equal((await store.quotes.standingAt('yes', START + 200))!.lastTradePrice, 0.01);
  });
});
