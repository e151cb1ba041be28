// The watcher on a real store: the next watcher reports events that happened during a crash, once.

import assert from 'node:assert/strict';
import { createKeyService } from '../../src/access/key-service.ts';
import { createWatcher } from '../../src/alerts/rules/watcher.ts';
import { createManualClock, type ManualClock } from '../../src/runtime/clock.ts';
import { silentLogger } from '../../src/runtime/logger.ts';
import { type Board, createBoard } from '../../src/state/board.ts';
import type { Store } from '../../src/store/ports.ts';
import { createAdvisers } from '../../src/trade/advice/adviser.ts';
import { ACCOUNTS, createSnapshot, NOW_TS } from '../api/fixture.ts';
import { waitUntil } from '../support/boot.ts';
import { describeStore } from './engines.ts';
import { sampleRule, sampleWebhook } from './samples.ts';

describeStore('an alert', (test) => {
  test('is queued once, even if the watcher is replaced repeatedly', async (store) => {
    const { keyId, clock, board } = await scene(store);
    const first = await watch(store, board, clock);
    setCount(board, 101);
    await first.until(async () => (await countNotices(store, keyId)) === 2);
    await first.stop();
    const second = await watch(store, board, clock);
    setCount(board, 102);
    setCount(board, 121);
    await second.until(async () => (await countNotices(store, keyId)) === 4);
    await second.stop();
    const pending = await store.webhooks.listDue(clock.now(), 100);
    assert.equal(new Set(pending.map(({ deliveryId }) => deliveryId)).size, 4);
  });

  test('is queued by the next watcher if the first died before recording it', async (store) => {
    const { keyId, clock, board } = await scene(store);
    const first = await watch(store, board, clock);
    await first.until(async () => (await store.watch.findMark('a')) !== undefined);
    await first.stop();
    const refusing = {
      ...store,
      watch: { ...store.watch, advance: () => Promise.reject(new Error('gone')) },
    };
    const dying = await watch(refusing, board, clock);
    setCount(board, 101);
    for (let i = 0; i < 20; i++) await clock.advanceAsync(200);
    await dying.stop();
    assert.equal(await countNotices(store, keyId), 0);
    const next = await watch(store, board, clock);
    await next.until(async () => (await countNotices(store, keyId)) === 2);
    await next.stop();
  });

  test('is queued for a new rule only if its event happened after the rule was created', async (store) => {
    const { keyId, clock, board } = await scene(store);
    const watcher = await watch(store, board, clock);
    setCount(board, 101);
    await watcher.until(async () => (await countNotices(store, keyId)) === 2);
    const apart = { ruleId: 'rule-2', keyId, kind: 'counts_apart', threshold: 20 };
    await store.rules.insert(sampleRule({ ...apart, eventId: null, quiet: null }));
    const knows = async (state: string) => ((await store.watch.findMark('a')) ?? '').includes(`"${state}"`);
    await watcher.until(() => knows('apart'));
    assert.equal(await countNotices(store, keyId), 2);
    setCount(board, 90);
    await watcher.until(() => knows('together'));
    setCount(board, 119);
    await watcher.until(async () => (await countNotices(store, keyId)) === 4);
    await watcher.stop();
  });
});

async function scene(store: Store) {
  const clock = createManualClock(NOW_TS);
  const { record } = await createKeyService(store.keys, clock).issue({ tier: 'PRO', label: 'desk' });
  const { keyId } = record;
  await store.webhooks.insert(sampleWebhook({ keyId }));
  const rule = { keyId, kind: 'bucket_crossed', eventId: null, threshold: null, quiet: null };
  await store.rules.insert(sampleRule(rule));
  const board = createBoard();
  board.replace(createSnapshot('a'));
  return { keyId, clock, board };
}

/** Starts a watcher and waits for its first evaluation. */
async function watch(store: Store, board: Board, clock: ManualClock) {
  const watcher = createWatcher({
    accounts: ACCOUNTS,
    board,
    store,
    adviserOf: createAdvisers(),
    publicUrl: '',
    clock,
    wallClock: clock,
    logger: silentLogger,
    onPending: () => {},
  });
  watcher.start();
  const until = (isSo: () => Promise<boolean>) =>
    waitUntil(async () => {
      await clock.advanceAsync(200);
      return isSo();
    });
  await until(async () => (await store.watch.findMark('a')) !== undefined);
  return { until, stop: watcher.stop };
}

/** A time by which both open events have passed a bucket. */
function setCount(board: Board, real: number): void {
  const before = board.find('a')!;
  const events = before.events.map((state) => ({ ...state, counters: { ...state.counters, real } }));
  board.replace({ ...before, version: before.version + 1, events });
}

async function countNotices(store: Store, keyId: string): Promise<number> {
  return (await store.alerts.listPage(keyId, { after: null, limit: 100 })).length;
}
