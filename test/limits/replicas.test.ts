// Limits over several processes and over a restart, on both engines.

import assert from 'node:assert/strict';
import { createLimiter, DEFAULT_LIMITS } from '../../src/access/limiter.ts';
import { createSavedWindows } from '../../src/access/saved-windows.ts';
import { createManualClock, type ManualClock } from '../../src/runtime/clock.ts';
import { silentLogger } from '../../src/runtime/logger.ts';
import type { Store } from '../../src/store/ports.ts';
import { describeStore } from '../store/engines.ts';

const START_TS = Date.UTC(2026, 5, 1);
const HOUR_MS = 3_600_000;

/** A process whose elapsed time began when it was started. */
function openProcess({ allowances }: Pick<Store, 'allowances'>, wallClock: ManualClock) {
  const startedTs = wallClock.now();
  const clock = { ...wallClock, now: () => wallClock.now() - startedTs };
  const limiter = createLimiter(DEFAULT_LIMITS, clock);
  const saved = createSavedWindows({ limiter, allowances, logger: silentLogger, clock, wallClock });
  const caller = limiter.forAddress('192.0.2.1', 'other');
  const take = (times: number) => Array.from({ length: times }, () => caller.take()).filter(Boolean).length;
  return { limiter, saved, caller, take };
}

describeStore('allowances', (test) => {
  test('are summed over processes once a second', async (store, place) => {
    const wallClock = createManualClock(START_TS);
    const one = openProcess(store, wallClock);
    const two = openProcess(await place.open(), wallClock);
    assert.deepEqual([one.take(60), two.take(30)], [60, 30]);
    for (const { saved } of [one, two, one]) await saved.sync();
    wallClock.step(500);
    assert.equal(one.take(20), 10);
    wallClock.step(500);
    for (const { saved } of [one, two]) await saved.sync();
    assert.equal(two.take(20), 0);
    assert.deepEqual([two.caller.remaining, two.caller.resetInMs], [0, HOUR_MS - 1_000]);
    wallClock.step(HOUR_MS - 1_000);
    assert.equal(two.take(100), 90);
  });

  test('survive a restart', async (store) => {
    const wallClock = createManualClock(START_TS);
    const before = openProcess(store, wallClock);
    assert.equal(before.take(70), 70);
    await before.saved.sync();
    wallClock.step(600_000);
    const after = openProcess(store, wallClock);
    await after.saved.sync();
    assert.equal(after.take(100), 30);
    wallClock.step(HOUR_MS - 600_000);
    assert.equal(after.take(100), 70);
    assert.equal(await store.allowances.prune(wallClock.now() + 2 * HOUR_MS), 1);
  });

  test('are saved later if the store fails', async (store) => {
    const wallClock = createManualClock(START_TS);
    let isDown = true;
    const put: Store['allowances']['put'] = (rows) =>
      isDown ? Promise.reject(new Error('down')) : store.allowances.put(rows);
    const one = openProcess({ allowances: { ...store.allowances, put } }, wallClock);
    assert.equal(one.take(100), 100);
    await assert.rejects(one.saved.sync());
    isDown = false;
    await one.saved.sync();
    const two = openProcess(store, wallClock);
    await two.saved.sync();
    assert.equal(two.take(1), 0);
  });
});
