// An API replica on a database that lags: a follower, or a database restored to an earlier time.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { profileOfLetter } from '../../src/domain/account-profile.ts';
import { MINUTE_MS } from '../../src/domain/units.ts';
import { rebuildSnapshot } from '../../src/ingest/recorder/rebuild.ts';
import { createBoardFollower } from '../../src/jobs/board-follower.ts';
import { createManualClock, systemClock } from '../../src/runtime/clock.ts';
import { silentLogger } from '../../src/runtime/logger.ts';
import { presentHealth } from '../../src/server/endpoints/health.ts';
import { createBoard } from '../../src/state/board.ts';
import { type AccountSnapshot, createEmptySnapshot } from '../../src/state/snapshot.ts';
import type { SnapshotStore } from '../../src/store/ports.ts';
import { toPlace } from '../../src/store/transfer/place.ts';
import { backUp, restore } from '../../src/store/transfer/transfer.ts';
import { describeFreshStore } from '../store/engines.ts';
import { waitUntil } from '../support/boot.ts';

const ACCOUNT = profileOfLetter('a');
const START_TS = Date.UTC(2026, 2, 6, 17);
const never = new AbortController().signal;

function snapshotOf(version: number, totalPosts: number): AccountSnapshot {
  const feed = { feed: 'own', updatedTs: START_TS, staleAfterMs: 10_000, problem: null } as const;
  return { ...createEmptySnapshot('a', START_TS, [feed]), version, totalPosts };
}

describe('a replica on a lagging database', () => {
  it('never shows older data than before, and reports stale data', async () => {
    const clock = createManualClock(START_TS);
    const board = createBoard();
    const shown: number[] = [];
    board.listen(({ snapshot }) => shown.push(snapshot.totalPosts));
    // Successive queries reach servers at different versions.
    let turn = 0;
    const answers = [3, 1, 2, 5, 4, 1, 6, 2].map((version) => snapshotOf(version, 100 + version));
    const row = () => answers[turn++ % answers.length]!;
    const snapshots = {
      listen: async () => async () => {},
      find: async () => ({ version: answers[turn % answers.length]!.version, body: JSON.stringify(row()) }),
      observationsAfter: async () => [],
      versions: async () => [{ name: 'a', version: 1_000 }],
    } as unknown as SnapshotStore;
    const follower = createBoardFollower({ board, snapshots, clock, logger: silentLogger });
    await follower.start();
    for (let seconds = 0; seconds < 20; seconds++) await clock.advanceAsync(1_000);
    assert.deepEqual(shown, [103, 105, 106]);
    await clock.advanceAsync(MINUTE_MS);
    const build = { version: '', commit: '' };
    const store = { isWritable: true, problem: null };
    const { body } = presentHealth([ACCOUNT], (id) => board.find(id), store, build, clock.now());
    assert.ok(body.problems.includes(`${ACCOUNT.segment}: feed own is stale`), body.problems.join());
    await follower.stop();
  });
});

describeFreshStore('a replica on a store restored from a backup', (test, engine) => {
  test("shows the next leader's data, regardless of the version it had seen", async (store, place) => {
    const options = { nowTs: START_TS, force: true, onProgress: () => {} };
    const at = toPlace(place.options.databaseUrl, place.options.dataDir);
    const file = join(place.options.dataDir, 'backup.sqlite');
    const leadership = await store.lead(never);
    const early = await rebuildSnapshot(store, ACCOUNT, [], START_TS);
    await store.snapshots.put('a', early.version, JSON.stringify(early));
    await backUp(at, file, options);
    // As if three leaders had followed; on PostgreSQL versions follow the server's clock, in microseconds.
    const later = engine === 'sqlite' ? 5_000_000 : 1_000;
    const late = { ...early, version: early.version + later, totalPosts: 9 };
    await store.snapshots.put('a', late.version, JSON.stringify(late));
    const board = createBoard();
    const follower = createBoardFollower({
      board,
      snapshots: store.snapshots,
      clock: systemClock,
      logger: silentLogger,
    });
    await follower.start();
    assert.equal(board.find('a')?.totalPosts, 9);
    await restore(file, at, options);
    await leadership.release();
    const successor = await place.open();
    await successor.lead(never);
    const rebuilt = await rebuildSnapshot(successor, ACCOUNT, [], START_TS);
    await successor.snapshots.put('a', rebuilt.version, JSON.stringify(rebuilt));
    await waitUntil(() => board.find('a')?.totalPosts === 0);
    await follower.stop();
  });
});
