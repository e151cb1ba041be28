// Six hours of storm on each engine. For more seeds and days: npm run storm -- --seed N --days D (docs/operations.md).

import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { openScratchStores } from '../../lab/storm/scratch-stores.ts';
import { runStorm } from '../../lab/storm/storm.ts';
import type { Store } from '../../src/store/ports.ts';
import { makeTempFolder } from '../support/temp-store.ts';

const SEEDS = { sqlite: 1003, postgres: 1007 } as const;

describe('a storm', () => {
  for (const [engine, seed] of Object.entries(SEEDS)) {
    it(`breaks nothing on ${engine}`, async () => {
      const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'tallycast-storm-'));
      const stores = await openScratchStores(engine as keyof typeof SEEDS, folder);
      try {
        const { broken, faults } = await runStorm({ seed, days: 0.25, ...stores });
        assert.deepEqual(broken, []);
        assert.ok(faults > 0);
      } finally {
        await stores.clear();
        rmSync(folder, { recursive: true, force: true });
      }
    });
  }

  it('ends as broken when a call of the store never returns', async () => {
    const folder = makeTempFolder('stuck-storm');
    const stores = await openScratchStores('sqlite', folder);
    const opened: Store[] = [];
    const openStore: typeof stores.openStore = async (clock) => {
      opened.push(await stores.openStore(clock));
      return { ...opened.at(-1)!, lead: () => new Promise(() => {}) };
    };
    const { broken } = await runStorm({ seed: 1, days: 1, ...stores, openStore, stuckAfterMs: 1_000 });
    assert.match(broken.join(), /no progress for \d+ s/);
    for (const store of opened) await store.close();
  });
});
