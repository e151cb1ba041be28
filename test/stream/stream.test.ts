// The live stream through the real server: snapshot, tiers, resuming, slow clients, heartbeat.

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { AccountSnapshot } from '../../src/state/snapshot.ts';
import { createPost, NOW_TS } from '../api/fixture.ts';
import { type Harness, startHarness } from '../api/harness.ts';
import { publishChange } from '../support/publish-change.ts';
import { listen, type StreamListener } from './sse.ts';

let harness: Harness;
let url: string;
let posted = 0;
const open: StreamListener[] = [];

async function join(options: Parameters<typeof listen>[1] = {}): Promise<StreamListener> {
  const listener = await listen(url, options);
  open.push(listener);
  return listener;
}

/** Publishes another post of account A, as ingest would. */
function publishPost(text = 'new'): string {
  const now = harness.board.find('a')!;
  posted += 1;
  const post = { ...createPost('a', 0), postId: String(20_000 + posted), createdTs: NOW_TS + posted, text };
  publish({ recentPosts: [post, ...now.recentPosts].slice(0, 100), totalPosts: now.totalPosts + 1 });
  return post.postId;
}

function publishCount(real: number): void {
  const events = harness.board
    .find('a')!
    .events.map((state, i) => (i === 0 ? { ...state, counters: { ...state.counters, real } } : state));
  publish({ events });
}

function publish(change: Partial<AccountSnapshot>): void {
  publishChange(harness.board, 'a', change);
}

before(async () => {
  harness = await startHarness();
  url = `http://127.0.0.1:${harness.port}/api/v1/stream/account_a`;
});
after(() => harness.close());
beforeEach(() => {
  while (open.length > 0) open.pop()!.cut();
});

describe('the live stream', () => {
  it('starts with one snapshot of counters, forecasts and posts', async () => {
    const reader = await join({ key: harness.keys.PRO });
    assert.match(String(reader.response.headers['content-type']), /^text\/event-stream/);
    const [first] = await reader.hear(1);
    assert.equal(first!.event, 'snapshot');
    assert.equal(first!.data.account, 'account_a');
    assert.equal(first!.data.tier, 'PRO');
    const [meta, prediction] = await Promise.all(
      ['/meta/account_a', '/prediction/account_a'].map((path) =>
        harness.call(path, { key: harness.keys.PRO }),
      ),
    );
    assert.deepEqual(first!.data.meta, meta!.json.data);
    assert.deepEqual(first!.data.prediction, prediction!.json.data);
    assert.equal(first!.data.posts.length, 15);
  });

  it('starts with recent settlements, for clients that were disconnected', async () => {
    const { events } = harness.board.find('a')!;
    const settlement = { finalCount: 9, winningLabel: '<20', revision: 2 };
    publish({ events: events.map((state, i) => (i === 0 ? { ...state, settlement } : state)) });
    const [first] = await (await join({})).hear(1);
    const event_id = events[0]!.event.eventId;
    assert.deepEqual(first!.data.settlements, [
      { event_id, final_count: 9, winning_bucket: '<20', revision: 2 },
    ]);
    publish({ events });
  });

  it('sends a post and the counters it changes, each with its own id', async () => {
    const reader = await join({ key: harness.keys.PRO });
    await reader.hear(1);
    const postId = publishPost();
    publishCount(81);
    const [, post, counters] = await reader.hear(3);
    assert.equal(post!.event, 'post');
    assert.equal(post!.data.tweet_id, postId);
    assert.equal(post!.data.is_counted, true);
    assert.equal(counters!.event, 'counters');
    assert.equal(counters!.data.real_counter, 81);
    assert.equal(counters!.data.settlement_delta, 3);
    assert.equal(new Set(reader.messages.map(({ id }) => id)).size, 3);
  });

  it('sends a new snapshot to clients that connected before there was data', async () => {
    const { recentPosts, events } = harness.board.find('a')!;
    publish({ recentPosts: [], events: [] });
    const reader = await join({ key: harness.keys.PRO });
    await reader.hear(1);
    publish({ recentPosts });
    publish({ events });
    const [bare, posts, whole] = await reader.hear(3);
    assert.deepEqual([bare!.event, posts!.event, whole!.event], ['snapshot', 'snapshot', 'snapshot']);
    assert.deepEqual([bare!.data.posts.length, posts!.data.posts.length], [0, 15]);
    assert.deepEqual([bare!.data.meta.length, whole!.data.meta.length > 0], [0, true]);
  });

  it('sends prices, feeds and settlements', async () => {
    const reader = await join();
    await reader.hear(1);
    const now = harness.board.find('a')!;
    const quote = now.quotes['yes-1001-0']!;
    publish({ quotes: { ...now.quotes, 'yes-1001-0': { ...quote, bid: 0.2, ask: 0.3 } } });
    publish({ feeds: now.feeds.map((feed) => ({ ...feed, problem: feed.feed === 'ui' ? 'secret' : null })) });
    const settlement = { finalCount: 130, winningLabel: '120-139', revision: 1 };
    publish({ events: harness.board.find('a')!.events.map((s, i) => (i === 3 ? { ...s, settlement } : s)) });
    const heard = (await reader.hear(4)).slice(1);
    assert.deepEqual(
      heard.map(({ event }) => event),
      ['price', 'feed', 'settlement'],
    );
    assert.equal(heard[0]!.data.market_price, 0.25);
    assert.equal(heard[1]!.data.feed, 'ui');
    assert.ok(!JSON.stringify(heard[1]).includes('secret'));
    assert.deepEqual(heard[2]!.data, {
      event_id: 1004,
      final_count: 130,
      winning_bucket: '120-139',
      revision: 1,
    });
  });

  it('applies the tier to every message', async () => {
    const [anonymous, free, pro] = await Promise.all([
      join(),
      join({ key: harness.keys.FREE }),
      join({ key: harness.keys.PRO }),
    ]);
    await Promise.all([anonymous.hear(1), free.hear(1), pro.hear(1)]);
    const events = harness.board
      .find('a')!
      .events.map((state) => ({ ...state, forecast: { ...state.forecast!, p50: 131 } }));
    publish({ events });
    publishPost();
    assert.equal((await pro.hear(4)).filter(({ event }) => event === 'forecast').length, 2);
    for (const reader of [anonymous, free]) {
      const [snapshot, post] = await reader.hear(2);
      assert.equal(snapshot!.data.tier, 'FREE');
      assert.ok(!('forecast' in snapshot!.data.prediction[0]));
      assert.equal(post!.event, 'post');
      assert.equal(post!.data.is_counted, null);
      assert.ok(!JSON.stringify(reader.messages).includes('model_prob'));
    }
  });

  it('rejects an unknown key and an unknown account', async () => {
    assert.equal((await harness.call('/stream/account_a', { key: 'tc_pro_x' })).status, 401);
    assert.equal((await harness.call('/stream/unknown')).status, 404);
    const html = { headers: { accept: 'text/html' } };
    assert.equal((await harness.call('/stream/account_a', html)).status, 406);
  });

  it('uses one request, no matter how much is sent', async () => {
    const { key } = await harness.issue('FREE');
    const reader = await join({ key });
    await reader.hear(1);
    assert.equal(reader.response.headers['x-ratelimit-remaining'], '99');
    for (let i = 0; i < 20; i++) publishPost();
    await reader.hear(21);
    const { headers } = await harness.call('/meta/account_a', { key });
    assert.equal(headers['x-ratelimit-remaining'], '98');
  });
});

describe('a resumed stream', () => {
  it('loses and repeats nothing', async () => {
    const reader = await join({ key: harness.keys.PRO });
    const before = [publishPost(), publishPost()];
    const heardBefore = (await reader.hear(3)).slice(1);
    reader.cut();
    const missed = Array.from({ length: 700 }, () => publishPost());
    publishCount(90);
    publishCount(91);
    const again = await join({ key: harness.keys.PRO, lastEventId: heardBefore.at(-1)!.id });
    const after = publishPost();
    const heard = await again.hear(703);
    const posts = [...heardBefore, ...heard].filter(({ event }) => event === 'post');
    assert.deepEqual(
      posts.map(({ data }) => data.tweet_id),
      [...before, ...missed, after],
    );
    assert.deepEqual(
      heard.filter(({ event }) => event === 'counters').map(({ data }) => data.real_counter),
      [90, 91],
    );
  });

  it('can continue after a snapshot as after any message', async () => {
    const reader = await join();
    const [snapshot] = await reader.hear(1);
    reader.cut();
    const postId = publishPost();
    const again = await join({ lastEventId: snapshot!.id });
    const [first] = await again.hear(1);
    assert.equal(first!.data.tweet_id, postId);
  });

  it('restarts with a snapshot where nobody read the account', async () => {
    const { version, events } = harness.board.find('b')!;
    publishChange(harness.board, 'b', {
      events: events.map((state) => ({ ...state, counters: { ...state.counters, real: 300 } })),
    });
    const late = await listen(url.replace('account_a', 'account_b'), { lastEventId: `${version}-0` });
    open.push(late);
    const [first] = await late.hear(1);
    assert.equal(first!.event, 'snapshot');
    assert.equal(first!.data.meta[0].real_counter, 300);
  });
});
