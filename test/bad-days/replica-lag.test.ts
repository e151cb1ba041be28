// An API replica on a database that lags: a follower, or a database restored to an earlier time.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { profileOfLetter } from '../../src/domain/account-profile.ts';
import { MINUTE_MS } from '../../src/domain/units.ts';
import { createBoardFollower } from '../../src/jobs/board-follower.ts';
import { createManualClock } from '../../src/runtime/clock.ts';
import { silentLogger } from '../../src/runtime/logger.ts';
import { presentHealth } from '../../src/server/endpoints/health.ts';
import { createBoard } from '../../src/state/board.ts';
import { type AccountSnapshot, createEmptySnapshot } from '../../src/state/snapshot.ts';
import type { SnapshotStore } from '../../src/store/ports.ts';

const ACCOUNT = profileOfLetter('a');
const START_TS = Date.UTC(2026, 2, 6, 17);

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
