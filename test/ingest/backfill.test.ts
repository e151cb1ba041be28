// Backfills an account on a real embedded store that occasionally fails.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { Post } from '../../src/domain/post.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../src/domain/units.ts';
import { createAccountRecorder } from '../../src/ingest/recorder/account-recorder.ts';
import { createCaptureDelays } from '../../src/ingest/recorder/capture-delays.ts';
import { rebuildSnapshot } from '../../src/ingest/recorder/rebuild.ts';
import { backfill } from '../../src/ingest/repair/backfill.ts';
import { createManualClock } from '../../src/runtime/clock.ts';
import { SourceError, StoreError } from '../../src/runtime/errors.ts';
import { type Logger, silentLogger } from '../../src/runtime/logger.ts';
import { createRandom } from '../../src/runtime/random.ts';
import { createTurnQueue } from '../../src/runtime/turn-queue.ts';
import { presentHealth } from '../../src/server/endpoints/health.ts';
import type { AccountSources, OraclePost, SkippedItem } from '../../src/sources/source.ts';
import { createBoard } from '../../src/state/board.ts';
import type { Store } from '../../src/store/ports.ts';
import { samplePost } from '../store/samples.ts';
import { waitUntil } from '../support/boot.ts';
import { ACCOUNT, NOW_TS } from '../support/scripted-sources.ts';
import { openTempStore } from '../support/temp-store.ts';

const BATCHES = [1, 2, 3].map((day): Post[] => [
  samplePost({ postId: String(900 - day), createdTs: NOW_TS - day * DAY_MS }),
]);
const FULL = new StoreError('store: the disk is full', { isRetryable: true });
const FORBIDDEN = new SourceError('x: 403', { isRetryable: false });

describe('a backfill', () => {
  const clock = createManualClock(NOW_TS);
  let close: () => Promise<void>;
  let store: Store;

  beforeEach(async () => {
    ({ store, close } = await openTempStore(clock));
  });
  afterEach(() => close());

  let skipped: SkippedItem[] = [];

  /** `failures` apply to successive post writes; null means that the write succeeds. */
  async function begin(
    failures: (Error | null)[],
    source: { error: Error | null; batches?: readonly Post[][]; hidesEdits?: boolean } = { error: null },
    listOlder: () => readonly OraclePost[] = () => [],
    isPaid = false,
  ) {
    const posts: Store['posts'] = {
      ...store.posts,
      recordCaptures(captures) {
        const failure = failures.shift() ?? null;
        return failure ? Promise.reject(failure) : store.posts.recordCaptures(captures);
      },
    };
    const faulty = { ...store, posts };
    const initial = await rebuildSnapshot(store, ACCOUNT, [], clock.now());
    const recorder = createAccountRecorder({
      ...{ account: ACCOUNT, initial, store: faulty, board: createBoard(), clock },
      ...{ delays: createCaptureDelays(), blankTextOnDeletion: false },
    });
    const asked: number[] = [];
    const stopping = new AbortController();
    const { signal } = stopping;
    const sources = {
      account: ACCOUNT,
      posts: [
        {
          name: 'x',
          knows: { edits: source.hidesEdits !== true },
          spend: () => (isPaid ? { dayUsd: 0, monthUsd: 0, capUsd: 0 } : null),
          async *fetchHistory(
            { untilTs }: { untilTs: number },
            onSkipped: (items: readonly SkippedItem[]) => void,
          ) {
            asked.push(untilTs);
            onSkipped(skipped);
            if (source.error) throw source.error;
            yield* (source.batches ?? BATCHES).filter(([post]) => post!.createdTs < untilTs);
          },
        },
      ],
      oracle: { fetchPosts: async () => listOlder() },
    } as unknown as AccountSources;
    const random = createRandom(1);
    let isDone = false;
    const rounds: boolean[] = [];
    const logged: string[] = [];
    const log = (_facts: object, message: string) => void logged.push(message);
    const logger = { ...silentLogger, info: log, warn: log } as Logger;
    const done = backfill({
      ...{ sources, recorder, store: faulty, clock, random, logger, signal, turns: createTurnQueue(1) },
      onRound: (isReady) => void rounds.push(isReady),
    }).then(() => {
      isDone = true;
    });
    const outcomes = () => logged.filter((message) => /^backfill (in)?complete$/.test(message));
    return { recorder, stopping, done, asked, rounds, outcomes, isDone: () => isDone };
  }

  const hasMarker = async () => (await store.cursors.find('backfill:a')) !== undefined;

  it('runs once', async () => {
    const { recorder, done } = await begin([]);
    await done;
    assert.equal(recorder.snapshot().totalPosts, 3);
    assert.ok(await hasMarker());
    assert.equal(recorder.snapshot().remarks, undefined);
    const again = await begin([], { error: FORBIDDEN });
    await again.done;
    assert.equal(again.recorder.snapshot().isPastMissing, undefined, 'nothing is requested again');
  });

  it('reports how many items were unusable', async () => {
    skipped = [3, 4].map((id) => ({ what: `post ${id}`, reason: 'it has no creation time' }));
    const { recorder, done } = await begin([]);
    await done;
    skipped = [];
    const build = { version: '', commit: '' };
    const well = { isWritable: true, problem: null };
    const { body } = presentHealth([ACCOUNT], () => recorder.snapshot(), well, build, NOW_TS);
    assert.deepEqual(body.notes, [
      `${ACCOUNT.segment}: x: 2 item(s) in its history could not be used (post 3: it has no creation time)`,
    ]);
    assert.equal(body.status, 'ok', 'the status stays ok');
  });

  it('stores a post edited at the boundary between two sources once, and marks the other version uncertain', async () => {
    const seam = BATCHES.at(-1)![0]!;
    const listed = {
      createdTs: seam.createdTs - MINUTE_MS,
      importedTs: null,
      isRetweet: false,
      mayBeReply: false,
    };
    const first = { ...listed, postId: '800', text: `${seam.text} all` };
    const { recorder, done } = await begin([], undefined, () => [first]);
    await done;
    assert.equal(recorder.snapshot().totalPosts, 4);
    const [oldest] = (await store.posts.listRecent('a', 10, 0)).slice(-1);
    assert.deepEqual([oldest!.postId, oldest!.isCounted, oldest!.isDoubtful], ['800', false, true]);
  });

  it('marks an edit uncertain if the original would be on the next page of its history', async () => {
    const ts = NOW_TS - 2 * DAY_MS;
    const text = 'the launch is on friday';
    const post = (postId: string, createdTs: number, words = postId) =>
      samplePost({ postId, createdTs, text: words });
    const first = { ...post('800', ts, text), firstSeenTs: NOW_TS, deletedTs: null, isCounted: true };
    await store.posts.recordCaptures([{ ...first, firstSource: 'oracle' }]);
    const batches = [
      [post('801', ts + MINUTE_MS, `${text} at noon`), post('802', ts + DAY_MS)],
      [post('700', ts - DAY_MS), post('799', ts - MINUTE_MS)],
    ];
    const { done } = await begin([], { error: null, batches, hidesEdits: true });
    await done;
    const posts = await store.posts.listRecent('a', 10, 0);
    const uncertain = posts.filter(({ isDoubtful }) => isDoubtful).map(({ postId }) => postId);
    assert.deepEqual([posts.length, uncertain], [5, ['801']]);
  });

  it('uses free sources even if paid ones before and after them reject requests', async () => {
    const listed = { importedTs: null, isRetweet: false, mayBeReply: false, text: 'old' };
    const old = { ...listed, postId: '700', createdTs: NOW_TS - 5 * DAY_MS };
    const { recorder, done, rounds } = await begin([], { error: FORBIDDEN }, () => [old], true);
    await done;
    assert.notEqual(recorder.snapshot().isPastMissing, true);
    assert.equal(recorder.snapshot().totalPosts, 1);
    assert.deepEqual(rounds, [true]);
    assert.ok(!(await hasMarker()), 'the next start tries the paid source again');
  });

  it('reads recent days from a paid source later, even if it has already delivered older days', async () => {
    const older = samplePost({ postId: '600', createdTs: NOW_TS - 10 * DAY_MS });
    const outage = {
      error: new SourceError('x: an HTML page', { isRetryable: true }) as Error | null,
      batches: [...BATCHES, [older]],
    };
    const listed = { importedTs: null, isRetweet: false, mayBeReply: false, text: 'old' };
    const recoverAndList = () => {
      outage.error = null;
      return [{ ...listed, postId: '700', createdTs: NOW_TS - 5 * DAY_MS }];
    };
    const { recorder, isDone } = await begin([], outage, recoverAndList, true);
    await waitUntil(async () => {
      await clock.advanceAsync(MINUTE_MS);
      return isDone();
    });
    assert.equal(recorder.snapshot().totalPosts, 5);
    assert.ok(await hasMarker());
  });

  it('is retried until the store accepts it, and the history is reported missing until then', async () => {
    const { recorder, isDone } = await begin([null, FULL, FULL, FULL]);
    await waitUntil(() => recorder.snapshot().isPastMissing === true);
    assert.equal(recorder.snapshot().totalPosts, 1);
    await waitUntil(async () => {
      await clock.advanceAsync(MINUTE_MS);
      return isDone();
    });
    assert.equal(recorder.snapshot().totalPosts, 3);
    assert.equal(recorder.snapshot().isPastMissing, false);
    assert.ok(await hasMarker());
  });

  it('does not leave the history reported missing if that report waited behind a slow write', async () => {
    await (await begin([])).done;
    const found = Promise.withResolvers<string>();
    const written = Promise.withResolvers<void>();
    store = {
      ...store,
      cursors: { ...store.cursors, find: () => found.promise },
      events: { ...store.events, upsert: () => written.promise },
    };
    const { recorder, done } = await begin([]);
    const writing = recorder.listEvents([]);
    clock.advance(MINUTE_MS);
    found.resolve('1');
    await new Promise(setImmediate);
    written.resolve();
    await Promise.all([writing, done]);
    await recorder.readQuotes([]);
    assert.notEqual(recorder.snapshot().isPastMissing, true);
  });

  it('is retried a few times, and each attempt resumes where the last one stopped', async () => {
    const { asked, rounds } = await begin([null, FULL, null, ...Array(20).fill(FULL)]);
    await waitUntil(async () => {
      await clock.advanceAsync(10 * SECOND_MS);
      return rounds.length > 0;
    });
    const days = asked.map((untilTs) => Math.round((asked[0]! - untilTs) / DAY_MS));
    assert.deepEqual(days.slice(0, 3), [0, 1, 2], 'each attempt starts where the last one stopped');
    assert.equal(days.length, 2 + 7, 'the number of failing attempts is bounded');
    assert.equal(await hasMarker(), false);
  });

  it('completes without a restart even if every source failed at first', async () => {
    const outage = { error: new SourceError('x: connection reset', { isRetryable: true }) as Error | null };
    const { recorder, rounds, outcomes, isDone } = await begin([], outage, () => {
      if (outage.error) throw outage.error;
      return [];
    });
    await waitUntil(async () => {
      await clock.advanceAsync(MINUTE_MS);
      return rounds.length > 0;
    });
    assert.deepEqual(rounds, [false], 'jobs that need the history wait');
    assert.deepEqual(outcomes(), ['backfill incomplete']);
    assert.equal(recorder.snapshot().isPastMissing, true);
    outage.error = null;
    await waitUntil(async () => {
      await clock.advanceAsync(MINUTE_MS);
      return isDone();
    });
    assert.deepEqual(rounds, [false, true]);
    assert.deepEqual(outcomes(), ['backfill incomplete', 'backfill complete']);
    assert.equal(recorder.snapshot().totalPosts, 3);
    assert.equal(recorder.snapshot().isPastMissing, false);
    assert.ok(await hasMarker());
  });

  it('is abandoned when the service stops', async () => {
    const { done, stopping } = await begin([FULL]);
    stopping.abort();
    await done;
    assert.equal(await hasMarker(), false);
  });
});
