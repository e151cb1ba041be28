import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadConfig } from '../config/config.ts';
import { createManualClock } from '../runtime/clock.ts';
import { silentLogger } from '../runtime/logger.ts';
import { createBoard } from '../state/board.ts';
import type { SnapshotStore } from '../store/ports.ts';
import { createBoardFollower } from './board-follower.ts';

describe('a replica', () => {
  it('knows when the ingest process has stopped sending', async () => {
    const clock = createManualClock(0);
    let version = 1;
    const snapshots = {
      versions: async () => [{ name: 'crypto', version }],
      find: async () => ({ name: 'crypto', version, body: '{}' }),
      listen: async () => async () => {},
    } as unknown as SnapshotStore;
    const follower = createBoardFollower({ board: createBoard(), snapshots, clock, logger: silentLogger });
    await follower.start();
    for (; version < 8; version++) await clock.advanceAsync(1_000);
    assert.equal(follower.findProblem(), null);
    await clock.advanceAsync(1_000);
    await clock.advanceAsync(5_500);
    assert.equal(follower.findProblem(), 'no new data from the ingest process for 5 s');
    version += 1;
    await clock.advanceAsync(1_000);
    assert.equal(follower.findProblem(), null);
    await follower.stop();
  });

  it('does not start a simulator', () => {
    const flags = ['--sources', 'simulator', '--role', 'api', '--database-url', 'postgres://localhost/x'];
    assert.throws(() => loadConfig(flags, {}), /SIMULATOR_URL is not set/);
    assert.equal(loadConfig([...flags, '--simulator-url', 'http://127.0.0.1:1'], {}).role, 'api');
  });
});
