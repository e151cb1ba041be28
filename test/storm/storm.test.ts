// A short storm on each engine, and every seed that ever failed. Longer ones: npm run storm -- --seed N --days D.

import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { openScratchStores } from '../../src/storm/scratch-stores.ts';
import { runStorm } from '../../src/storm/storm.ts';
import { REMEMBERED_SEEDS } from './seeds.ts';

async function weather(engine: 'sqlite' | 'postgres', seed: number, days: number) {
  const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'tallycast-storm-'));
  const stores = await openScratchStores(engine, folder);
  try {
    return await runStorm({ seed, days, ...stores });
  } finally {
    await stores.clear();
    rmSync(folder, { recursive: true, force: true });
  }
}

describe('a storm', () => {
  for (const { seed, days, engine, showed } of REMEMBERED_SEEDS) {
    it(`breaks nothing on ${engine} with seed ${seed}, which once showed: ${showed}`, async () => {
      assert.deepEqual((await weather(engine, seed, days)).broken, []);
    });
  }

  it('breaks nothing on PostgreSQL', async () => {
    const { broken, faults } = await weather('postgres', 4, 0.5);
    assert.deepEqual(broken, []);
    assert.ok(faults > 0);
  });
});
