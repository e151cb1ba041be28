// Several sources for one account's posts on a real embedded store. Posts are counted once, uncertain posts are
// reported and resolved, and contradictions are reported.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { markPossibleEdits, markVersionsOf } from '../../src/domain/possible-edit.ts';
import type { Post } from '../../src/domain/post.ts';
import { DAY_MS, HOUR_MS } from '../../src/domain/units.ts';
import type { PostFeed } from '../../src/ingest/feeds/post-feed.ts';
import { createAccountRecorder } from '../../src/ingest/recorder/account-recorder.ts';
import { createCaptureDelays } from '../../src/ingest/recorder/capture-delays.ts';
import { rebuildSnapshot } from '../../src/ingest/recorder/rebuild.ts';
import { createGapRepair } from '../../src/ingest/repair/gap-repair.ts';
import { createManualClock, systemClock } from '../../src/runtime/clock.ts';
import { silentLogger } from '../../src/runtime/logger.ts';
import { createRandom } from '../../src/runtime/random.ts';
import { presentMeta } from '../../src/server/endpoints/meta.ts';
import type { OracleSource } from '../../src/sources/source.ts';
import { createBoard } from '../../src/state/board.ts';
import type { Store } from '../../src/store/ports.ts';
import { sampleEvent, samplePost } from '../store/samples.ts';
import { waitUntil } from '../support/boot.ts';
import { ACCOUNT, NOW_TS } from '../support/scripted-sources.ts';
import { openTempStore } from '../support/temp-store.ts';

const event = sampleEvent({ window: { startTs: NOW_TS - DAY_MS, endTs: NOW_TS + DAY_MS }, buckets: [] });

function post(id: string, change: Partial<Post> = {}): Post {
  return samplePost({ postId: id, createdTs: NOW_TS - HOUR_MS, text: id, ...change });
}

describe('the recorder with several sources', () => {
  const clock = createManualClock(NOW_TS);
  let close: () => Promise<void>;
  let store: Store;

  beforeEach(async () => {
    ({ store, close } = await openTempStore(clock));
  });
  afterEach(() => close());

  async function open() {
    const feeds = [{ feed: 'own' as const, updatedTs: NOW_TS, staleAfterMs: 30_000, problem: null }];
    const recorder = createAccountRecorder({
      account: ACCOUNT,
      initial: await rebuildSnapshot(store, ACCOUNT, feeds, clock.now()),
      store,
      board: createBoard(),
      clock,
      delays: createCaptureDelays(),
      blankTextOnDeletion: false,
      doubtfulIds: (await store.posts.listDoubtful('a', 0)).map(({ postId }) => postId),
    });
    await recorder.listEvents([event]);
    return recorder;
  }

  const shown = (recorder: Awaited<ReturnType<typeof open>>) => {
    const [record] = presentMeta(recorder.snapshot(), NOW_TS).data;
    return [record!.real_counter_low, record!.real_counter, record!.real_counter_high];
  };

  it('counts a post once, and stores its earliest sighting and source', async () => {
    const recorder = await open();
    await recorder.capture([post('1')], 'live', 'rss');
    clock.step(5_000);
    await recorder.capture([post('1')], 'live', 'x');
    clock.step(-5_000);
    const [row] = await store.posts.listRecent('a', 10, 0);
    assert.deepEqual([row!.firstSource, row!.firstSeenTs], ['rss', NOW_TS]);
    assert.deepEqual(shown(recorder), [undefined, 1, undefined]);
  });

  it('counts an edit with a new id once, and treats it as uncertain until a better source sees it', async () => {
    const recorder = await open();
    const before = post('10', { text: 'the launch is on friday' });
    const after = post('11', {
      text: 'the launch is on friday, at noon',
      createdTs: NOW_TS - HOUR_MS + 60_000,
    });
    await recorder.capture([before], 'live', 'twitterapi');
    const page = [post('9', { createdTs: NOW_TS - 2 * HOUR_MS }), after];
    for (const poll of ['first', 'second']) {
      await recorder.capture(page, 'live', 'twitterapi', markPossibleEdits);
      assert.deepEqual(shown(recorder), [2, 2, 3], poll);
    }
    await recorder.capture([{ ...after, rootPostId: '10', versionIds: ['10', '11'] }], 'live', 'x');
    assert.deepEqual(shown(recorder), [undefined, 2, undefined]);
    assert.deepEqual(shown(await open()), [undefined, 2, undefined]);
  });

  it('counts an edited post once if sources report different versions, until a better source decides', async () => {
    const recorder = await open();
    const first = post('10', { text: 'the launch is on friday' });
    const last = post('12', { text: 'the launch is on friday, at noon' });
    await recorder.capture([last], 'history', 'twitterapi');
    await recorder.capture(markVersionsOf([first], [last]), 'history', 'oracle');
    assert.deepEqual(shown(recorder), [1, 1, 2]);
    const versionIds = ['10', '11', '12'];
    await recorder.capture([{ ...first, versionIds }], 'history', 'x');
    assert.deepEqual(shown(recorder), [undefined, 1, undefined]);
    await recorder.capture([post('11', { rootPostId: '10', versionIds })], 'live', 'x');
    assert.deepEqual(shown(await open()), [undefined, 1, undefined]);
  });

  it('counts a false edit separately once it is known to be a new post', async () => {
    const recorder = await open();
    await recorder.capture([post('10'), post('11', { mayBeEdit: true })], 'live', 'twitterapi');
    assert.deepEqual(shown(recorder), [1, 1, 2]);
    await recorder.capture([post('11')], 'live', 'x');
    assert.deepEqual(shown(recorder), [undefined, 2, undefined]);
  });

  it('has bounds on the count while a post is uncertain, even across a restart, until a better source sees it', async () => {
    const first = await open();
    await first.capture([post('1'), post('2', { isDoubtful: true })], 'live', 'oracle');
    await first.capture([post('3', { isReply: true, isDoubtful: true })], 'live', 'rss');
    assert.deepEqual(shown(first), [1, 2, 3]);
    const again = await open();
    assert.deepEqual(shown(again), [1, 2, 3]);
    await again.capture([post('2', { isReply: true })], 'live', 'x');
    assert.deepEqual(shown(again), [1, 1, 2]);
    await again.capture([post('3')], 'live', 'x');
    assert.deepEqual(shown(again), [undefined, 2, undefined]);
    assert.deepEqual(shown(await open()), [undefined, 2, undefined]);
  });

  /** Runs a repair until the condition holds. */
  async function repair(
    recorder: Awaited<ReturnType<typeof open>>,
    listed: readonly [postId: string, text: string][],
    findMissing: ((ids: readonly string[]) => Promise<readonly string[]>) | null,
    isDone: () => boolean,
  ): Promise<void> {
    const posts = listed.map(([postId, text]) => ({
      postId,
      text,
      createdTs: NOW_TS - HOUR_MS - 60_000,
      importedTs: NOW_TS,
      isRetweet: false,
      mayBeReply: false,
    }));
    const loop = createGapRepair({
      recorder,
      posts: store.posts,
      oraclePosts: store.oraclePosts,
      clock: { ...systemClock, now: clock.now },
      timeScale: 1,
      random: createRandom(1),
      logger: silentLogger,
      caughtUp: Promise.resolve(),
      oracle: {
        fetchPosts: async () => posts,
        lastSyncTs: () => NOW_TS,
        syncError: () => null,
      } as unknown as OracleSource,
      postFeed: { findSource: () => findMissing && { findMissing } } as unknown as PostFeed,
    });
    loop.start();
    await waitUntil(isDone);
    await loop.stop();
  }

  it('takes missing posts from the oracle if no source reports deletions, and treats an edit of a known post as uncertain', async () => {
    const recorder = await open();
    await recorder.capture([post('10', { text: 'the launch is on friday' })], 'live', 'twitterapi');
    const listed: [string, string][] = [
      ['7', 'dinner'],
      ['8', 'The launch is on Friday!'],
    ];
    await repair(recorder, listed, null, () => recorder.snapshot().totalPosts === 3);
    assert.deepEqual(shown(recorder), [2, 2, 3]);
  });

  it('does not count a reply in a thread without its start if the oracle does not list it, until it does', async () => {
    const recorder = await open();
    const createdTs = NOW_TS - 3 * HOUR_MS;
    const reply = (id: string, change: Partial<Post> = {}) =>
      post(id, { isReply: true, isSelfReply: true, createdTs, ...change });
    const young = reply('8', { createdTs: NOW_TS - HOUR_MS / 2 });
    const edit = reply('9', { mayBeEdit: true });
    await recorder.capture([reply('5'), reply('6'), young, edit], 'live', 'mastodon');
    assert.deepEqual(shown(recorder), [0, 3, 4]);
    await repair(recorder, [['6', 'six']], null, () => shown(recorder)[1] === 2);
    assert.deepEqual(shown(recorder), [1, 2, 4]);
    assert.deepEqual(shown(await open()), [1, 2, 4]);
    const both: [string, string][] = [
      ['5', 'five'],
      ['6', 'six'],
    ];
    await repair(recorder, both, null, () => shown(recorder)[1] === 3);
    assert.deepEqual(shown(recorder), [2, 3, 4]);
  });

  it('reports a source that contradicts another', async () => {
    const recorder = await open();
    await recorder.capture([post('1')], 'live', 'oracle');
    await recorder.capture([post('1', { isReply: true })], 'live', 'x');
    assert.match(
      recorder.snapshot().notices!.contradiction!,
      /post 1 counts according to oracle but not according to x/,
    );
  });

  it('rejects posts from the future, even pushed ones', async () => {
    const recorder = await open();
    await recorder.capture([post('1', { createdTs: NOW_TS + HOUR_MS })], 'live', 'x');
    assert.equal(recorder.snapshot().totalPosts, 0);
    await recorder.capture([post('2', { createdTs: NOW_TS + 60_000 })], 'live', 'x');
    assert.equal(recorder.snapshot().totalPosts, 1);
  });
});
