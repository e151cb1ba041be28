// What the leader observed, as replicas follow it: a whole snapshot, then observations.

import assert from 'node:assert/strict';
import { createStateLog } from '../../src/ingest/recorder/state-log.ts';
import { createBoardFollower } from '../../src/jobs/board-follower.ts';
import { createManualClock } from '../../src/runtime/clock.ts';
import { silentLogger } from '../../src/runtime/logger.ts';
import { applyObservation } from '../../src/state/apply-observation.ts';
import { createBoard } from '../../src/state/board.ts';
import type { Step } from '../../src/state/changes.ts';
import { createEmptySnapshot } from '../../src/state/snapshot.ts';
import type { SnapshotStore, Store } from '../../src/store/ports.ts';
import { waitUntil } from '../support/boot.ts';
import { describeFreshStore } from './engines.ts';

const START_TS = Date.UTC(2026, 2, 6, 17);
const WHOLE_EVERY_MS = 60_000;

/** Time passes only when a test advances it. */
function openBoth(store: Store) {
  const clock = createManualClock(START_TS);
  const shared = { clock, logger: silentLogger };
  const [leader, replica] = [createBoard(), createBoard()];
  const calls = { whole: 0 };
  const snapshots: SnapshotStore = {
    ...store.snapshots,
    find: (name) => {
      calls.whole += 1;
      return store.snapshots.find(name);
    },
  };
  const steps: Step[] = [];
  replica.listen((step) => steps.push(step));
  leader.replace({ ...createEmptySnapshot('a', START_TS, []), version: 10 });
  const log = createStateLog({
    ...{ ...shared, board: leader, snapshots: store.snapshots },
    ...{ accountIds: ['a'], periodMs: 250, wholeEveryMs: WHOLE_EVERY_MS },
  });
  const follower = createBoardFollower({ ...shared, board: replica, snapshots });
  return {
    ...{ clock, leader, replica, log, follower, calls, steps },
    observe(text: string) {
      const observation = { kind: 'remark-set', about: 'test', text } as const;
      leader.publish(applyObservation(leader.find('a')!, observation, clock.now()));
    },
    async shows(text: string | undefined) {
      await waitUntil(async () => {
        await clock.advanceAsync(250);
        const shown = replica.find('a');
        return shown !== undefined && shown.remarks?.test === text;
      });
      assert.deepEqual(replica.find('a'), leader.find('a'));
    },
    async stop() {
      await log.stop();
      await follower.stop();
    },
  };
}

describeFreshStore('what the leader observed', (test) => {
  test('is all that a replica reads after its first whole snapshot', async (store) => {
    const { log, follower, calls, steps, observe, shows, stop } = openBoth(store);
    log.start();
    await follower.start();
    await shows(undefined);
    const { whole } = calls;
    for (const text of ['one', 'two', 'three']) observe(text);
    await shows('three');
    assert.equal(calls.whole, whole);
    assert.deepEqual(
      steps.map(({ observation }) => observation?.kind),
      [undefined, 'remark-set', 'remark-set', 'remark-set'],
    );
    await stop();
  });

  test('ends with a whole snapshot now and then, which replaces older observations', async (store) => {
    const { clock, log, follower, calls, observe, shows, stop } = openBoth(store);
    log.start();
    await follower.start();
    await shows(undefined);
    const { whole } = calls;
    for (let n = 0; n < 4; n++) {
      observe(`${n}`);
      await shows(`${n}`);
      await clock.advanceAsync(WHOLE_EVERY_MS);
    }
    assert.equal(calls.whole, whole);
    assert.ok((await store.snapshots.find('a'))!.version > 10);
    assert.ok((await store.snapshots.observationsAfter([{ name: 'a', version: 0 }])).length < 4);
    await stop();
  });

  test('follows a whole snapshot when a save failed, or a leader began anew', async (store) => {
    let fails = false;
    const flaky: Store = {
      ...store,
      snapshots: {
        ...store.snapshots,
        append: async (...args) => {
          await store.snapshots.append(...args);
          if (fails) throw new Error('no answer');
        },
      },
    };
    const { leader, log, follower, observe, shows, stop } = openBoth(flaky);
    log.start();
    await follower.start();
    await shows(undefined);
    fails = true;
    observe('unsure');
    await shows('unsure');
    fails = false;
    observe('sure');
    await shows('sure');
    leader.replace({ ...leader.find('a')!, version: 5_000, totalPosts: 3 });
    observe('anew');
    await shows('anew');
    await stop();
  });
});
