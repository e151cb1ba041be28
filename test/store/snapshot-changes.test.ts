// Snapshots as what changed: the saver writes changes, a follower applies them or asks for the whole snapshot.

import assert from 'node:assert/strict';
import { createSnapshotSaver } from '../../src/ingest/recorder/snapshot-saver.ts';
import { createBoardFollower } from '../../src/jobs/board-follower.ts';
import { createManualClock } from '../../src/runtime/clock.ts';
import { silentLogger } from '../../src/runtime/logger.ts';
import { type Board, createBoard } from '../../src/state/board.ts';
import { type AccountSnapshot, createEmptySnapshot } from '../../src/state/snapshot.ts';
import type { SnapshotStore, Store } from '../../src/store/ports.ts';
import { waitUntil } from '../support/boot.ts';
import { describeFreshStore } from './engines.ts';

const START_TS = Date.UTC(2026, 2, 6, 17);
const TITLE = 'x'.repeat(20_000);

function snapshotAt(version: number, accountId = 'a'): AccountSnapshot {
  const empty = createEmptySnapshot(accountId, START_TS, []);
  return { ...empty, version, totalPosts: version, remarks: { title: TITLE } };
}

/** Saves and follows by hand: time passes only when a test advances it. */
async function openBoth(store: Store, followed: SnapshotStore = store.snapshots) {
  const clock = createManualClock(START_TS);
  const shared = { clock, logger: silentLogger };
  const [leader, replica] = [createBoard(), createBoard()];
  const calls = { whole: 0, changes: 0 };
  const snapshots: SnapshotStore = {
    ...followed,
    find: (name) => {
      calls.whole += 1;
      return followed.find(name);
    },
    changesAfter: (known) => {
      calls.changes += 1;
      return followed.changesAfter(known);
    },
  };
  const saver = createSnapshotSaver({
    ...shared,
    board: leader,
    snapshots: store.snapshots,
    accountIds: ['a', 'b'],
    periodMs: 250,
    hasReplicas: true,
  });
  const follower = createBoardFollower({ ...shared, board: replica, snapshots });
  const shows = (version: number, accountId = 'a') =>
    waitUntil(async () => {
      await clock.advanceAsync(250);
      return replica.find(accountId)?.version === version;
    });
  return { clock, leader, replica, saver, follower, calls, shows };
}

function publish(board: Board, ...versions: number[]): void {
  for (const version of versions) board.publish(snapshotAt(version));
}

/** Delivers no notifications, so that only polling finds changes. */
function silent(snapshots: SnapshotStore): SnapshotStore {
  return { ...snapshots, listen: async () => async () => {} };
}

describeFreshStore('changes of snapshots', (test) => {
  test('are all that a replica reads after its first whole snapshot', async (store) => {
    const { leader, replica, saver, follower, calls, shows } = await openBoth(store);
    publish(leader, 1);
    saver.start();
    await follower.start();
    await shows(1);
    const { whole } = calls;
    const before = replica.find('a')!;
    for (const version of [2, 5, 6]) {
      publish(leader, version);
      await shows(version);
    }
    assert.equal(calls.whole, whole);
    assert.deepEqual({ ...replica.find('a') }, { ...leader.find('a') });
    assert.equal(replica.find('a')!.remarks, before.remarks);
    const rows = await store.snapshots.changesAfter([{ name: 'a', version: 1 }]);
    assert.ok(rows.every(({ body }) => body.length < 200));
    assert.deepEqual(await store.snapshots.versions(), [{ name: 'a', version: 6 }]);
    await saver.stop();
    await follower.stop();
  });

  test('that were dropped or never written are replaced by the whole snapshot', async (store) => {
    const { leader, replica, saver, follower, calls, shows } = await openBoth(store, silent(store.snapshots));
    publish(leader, 1);
    saver.start();
    await follower.start();
    await shows(1);
    await saver.stop();
    const { whole } = calls;
    // A new leader writes a whole snapshot first, so nothing leads from version 1 to its versions.
    await store.snapshots.append([], [{ name: 'a', version: 10, body: JSON.stringify(snapshotAt(10)) }]);
    const change = { name: 'a', version: 11, previous: 10, body: '{"keys":{"version":{"set":11}}}' };
    await store.snapshots.append([change], []);
    await shows(11);
    assert.equal(replica.find('a')!.totalPosts, 10);
    assert.ok(calls.whole > whole);
    await follower.stop();
  });

  test('give way to a whole snapshot once they are as large, and older ones are dropped', async (store) => {
    const { clock, leader, saver } = await openBoth(store);
    publish(leader, 1);
    saver.start();
    const stored = async () => (await store.snapshots.find('a'))?.version;
    await waitUntil(async () => (await stored()) === 1);
    let version = 1;
    const wholes = new Set<number | undefined>();
    await waitUntil(async () => {
      leader.publish({ ...snapshotAt(++version), remarks: { title: `${TITLE}${version}`.slice(0, 9_000) } });
      await clock.advanceAsync(250);
      wholes.add(await stored());
      return wholes.size > 3;
    });
    const newest = Math.max(...[...wholes].map(Number));
    const rows = await store.snapshots.changesAfter([{ name: 'a', version: 0 }]);
    assert.ok(rows.length < version / 2, `${rows.length} of ${version} changes are left`);
    assert.ok(rows.some((row) => row.version <= newest));
    await saver.stop();
  });

  test('follow on what a failed save may have written', async (store) => {
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
    const { leader, replica, saver, follower, shows } = await openBoth(flaky);
    publish(leader, 1);
    saver.start();
    await follower.start();
    await shows(1);
    fails = true;
    publish(leader, 2);
    await shows(2);
    fails = false;
    publish(leader, 3);
    await shows(3);
    assert.equal(replica.find('a')!.totalPosts, 3);
    await saver.stop();
    await follower.stop();
  });
});
