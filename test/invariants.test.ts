// The checks detect a violation of every invariant, without false alarms.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openScratchStores } from '../lab/storm/scratch-stores.ts';
import { runStorm } from '../lab/storm/storm.ts';
import { DAY_MS, HOUR_MS } from '../src/domain/units.ts';
import { createSealingJob } from '../src/jobs/sealing/seal-hours.ts';
import { createManualClock } from '../src/runtime/clock.ts';
import { expectInvariant } from '../src/runtime/invariants.ts';
import { silentLogger } from '../src/runtime/logger.ts';
import { NO_SEAL, type Seal, sealHour } from '../src/sealing/seal.ts';
import { createBoard } from '../src/state/board.ts';
import type { AccountSnapshot, EventState } from '../src/state/snapshot.ts';
import { makeTempFolder } from './support/temp-store.ts';
import { violationsDuring } from './support/violations.ts';

const NOW_TS = Date.UTC(2026, 10, 16, 12);
const clock = createManualClock(NOW_TS);

function snapshotOf(version: number, state: Partial<EventState>, change: object = {}): AccountSnapshot {
  const window = { startTs: NOW_TS - DAY_MS, endTs: NOW_TS + DAY_MS };
  const event = { eventId: 1, window, ...change };
  return { accountId: 'a', version, events: [{ event, ...state }] } as unknown as AccountSnapshot;
}

const counted = (real: number) => ({ counters: { real, oracle: null, ui: null } });

async function publish(...snapshots: AccountSnapshot[]) {
  const board = createBoard();
  return violationsDuring(() => snapshots.forEach(board.publish));
}

async function sealWith(rows: readonly Seal[]): Promise<void> {
  const stored: Seal[] = [];
  const seals = {
    findNewest: async () => stored.at(-1),
    list: async (afterTs: number) => stored.filter(({ hourTs }) => hourTs > afterTs),
    async sealNext() {
      const next = rows[stored.length];
      if (next) stored.push(next);
      return next ?? null;
    },
  };
  const job = createSealingJob({ store: { seals } as never, clock, logger: silentLogger });
  await job.start();
  await job.stop();
}

describe('the invariant checks', () => {
  it('detect a count that falls', async () => {
    assert.deepEqual(await publish(snapshotOf(1, counted(5)), snapshotOf(2, counted(4))), ['count-fell']);
    assert.deepEqual(await publish(snapshotOf(1, counted(5)), snapshotOf(2, counted(6))), []);
  });

  it('accept a count that falls by its uncertain posts, or that belongs to another window or rule', async () => {
    const doubtful = { ...counted(5), doubt: { counted: 1, uncounted: 0 } };
    const moved = { window: { startTs: NOW_TS, endTs: NOW_TS + DAY_MS } };
    const ruled = { terms: { countingRule: { replies: true } } };
    assert.deepEqual(await publish(snapshotOf(1, doubtful), snapshotOf(2, counted(4))), []);
    // A process that skips snapshots may see one post resolved and another become uncertain at once.
    const renewed = { ...counted(4), doubt: { counted: 0, uncounted: 1 } };
    assert.deepEqual(await publish(snapshotOf(1, doubtful), snapshotOf(3, renewed)), []);
    const lower = { ...counted(5), doubt: { counted: 0, uncounted: 1 } };
    assert.deepEqual(await publish(snapshotOf(1, lower), snapshotOf(2, counted(4))), ['count-fell']);
    assert.deepEqual(await publish(snapshotOf(1, counted(5)), snapshotOf(2, counted(4), moved)), []);
    assert.deepEqual(await publish(snapshotOf(1, counted(5)), snapshotOf(2, counted(4), ruled)), []);
  });

  it('detect a seal that does not follow the previous one', async () => {
    const first = sealHour(NOW_TS - 3 * HOUR_MS, 1, ['one', 'two'], NO_SEAL);
    const second = sealHour(NOW_TS - 2 * HOUR_MS, 3, ['three'], first.chain);
    assert.deepEqual(await violationsDuring(() => sealWith([first, second])), []);
    const forked = sealHour(second.hourTs, 3, ['three'], NO_SEAL);
    assert.deepEqual(await violationsDuring(() => sealWith([first, forked])), ['chain-broken']);
    const gapped = sealHour(second.hourTs, 4, ['four'], first.chain);
    assert.deepEqual(await violationsDuring(() => sealWith([first, gapped])), ['chain-broken']);
  });

  it('fail a storm', async () => {
    const scene = { lengthMs: 2_000, simulatorFaults: [], deeds: [], isCalm: false };
    const folder = makeTempFolder('invariants');
    const stores = await openScratchStores('sqlite', folder);
    const { scenes, broken } = await runStorm({
      ...stores,
      ...{ seed: 1, days: 0, scenes: [scene, scene] },
      openStore(stormClock) {
        stormClock.after(1_000, () => expectInvariant('count-fell', false, () => ({})));
        return stores.openStore(stormClock);
      },
    });
    await stores.clear();
    assert.equal(scenes.length, 1);
    assert.match(broken[0]!, /invariant count-fell/);
  });
});
