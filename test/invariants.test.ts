// The checks detect a violation of every invariant, without false alarms.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openScratchStores } from '../lab/storm/scratch-stores.ts';
import { runStorm } from '../lab/storm/storm.ts';
import type { MarketEvent } from '../src/domain/market-event.ts';
import { DAY_MS, HOUR_MS } from '../src/domain/units.ts';
import { createSealingJob } from '../src/jobs/sealing/seal-hours.ts';
import { createManualClock } from '../src/runtime/clock.ts';
import { expectInvariant } from '../src/runtime/invariants.ts';
import { silentLogger } from '../src/runtime/logger.ts';
import { NO_SEAL, type Seal, sealHour } from '../src/sealing/seal.ts';
import { applyObservation } from '../src/state/apply-observation.ts';
import {
  type AccountSnapshot,
  createEmptySnapshot,
  type EventState,
  type Observation,
} from '../src/state/snapshot.ts';
import { makeTempFolder } from './support/temp-store.ts';
import { violationsDuring } from './support/violations.ts';

const NOW_TS = Date.UTC(2026, 10, 16, 12);
const clock = createManualClock(NOW_TS);

const WINDOW = { startTs: NOW_TS - DAY_MS, endTs: NOW_TS + DAY_MS };

function snapshotOf(state: Partial<EventState>): AccountSnapshot {
  const event = { eventId: 1, window: WINDOW, buckets: [] };
  return { ...createEmptySnapshot('a', NOW_TS, []), events: [{ event, ...state } as unknown as EventState] };
}

const counted = (real: number) => ({ counters: { real, oracle: null, ui: null } });

const apply = (before: AccountSnapshot, observation: Observation) =>
  violationsDuring(() => void applyObservation(before, observation, NOW_TS));

const recount = (before: AccountSnapshot, real: number, deletions?: number | null) =>
  apply(before, {
    ...{ kind: 'posts-recounted', totalPosts: 9, recentPosts: [], realCounts: { 1: real }, doubts: {} },
    ...(deletions !== undefined && { deletions }),
  });

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
    assert.deepEqual(await recount(snapshotOf(counted(5)), 4), ['count-fell']);
    assert.deepEqual(await recount(snapshotOf(counted(5)), 4, null), ['count-fell']);
    assert.deepEqual(await recount(snapshotOf(counted(5)), 6), []);
  });

  it('accept a count that falls by its uncertain posts, or that belongs to another window or rule', async () => {
    assert.deepEqual(
      await recount(snapshotOf({ ...counted(5), doubt: { counted: 1, uncounted: 0 } }), 4),
      [],
    );
    const lower = { ...counted(5), doubt: { counted: 0, uncounted: 1 } };
    assert.deepEqual(await recount(snapshotOf(lower), 4), ['count-fell']);
    const listAnew = (change: object) => {
      const event = { ...snapshotOf(counted(5)).events[0]!.event, ...change };
      return apply(snapshotOf(counted(5)), { kind: 'events-listed', events: [event], realCounts: { 1: 4 } });
    };
    assert.deepEqual(await listAnew({ title: 'the same count' }), ['count-fell']);
    assert.deepEqual(await listAnew({ window: { ...WINDOW, startTs: NOW_TS } }), []);
    assert.deepEqual(await listAnew({ terms: { countingRule: { replies: true } } }), []);
  });

  it('accept a count that falls by recorded deletions, where the contract leaves deleted posts out', async () => {
    const [state] = snapshotOf(counted(5)).events;
    const terms = { countingRule: { deletedPosts: false } } as MarketEvent['terms'];
    const strict = snapshotOf({ ...state, event: { ...state!.event, ...(terms && { terms }) } });
    assert.deepEqual(await recount(strict, 4), ['count-fell']);
    assert.deepEqual(await recount(strict, 4, 1), []);
    assert.deepEqual(await recount(strict, 3, 1), ['count-fell']);
    assert.deepEqual(await recount(strict, 3, null), []);
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
