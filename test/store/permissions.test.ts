// Only the service's user can read the store's files, whether new or existing.

import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { systemClock } from '../../src/runtime/clock.ts';
import { silentLogger } from '../../src/runtime/logger.ts';
import { openStore } from '../../src/store/open-store.ts';
import { makeTempFolder } from '../support/temp-store.ts';

let home: string;
beforeEach(() => {
  home = makeTempFolder('modes');
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

async function useStore(dataDir: string): Promise<void> {
  const store = await openStore({ dataDir, clock: systemClock, logger: silentLogger });
  await store.cursors.put('a', '1');
  for (const name of readdirSync(dataDir)) assert.equal(modeOf(join(dataDir, name)), '600', name);
  await store.close();
}

describe("the embedded store's files", () => {
  it('are created for their owner only', async () => {
    const dataDir = join(home, 'deep', 'data');
    await useStore(dataDir);
    assert.equal(modeOf(dataDir), '700');
  });

  it('are restricted to the owner if others could read them', async () => {
    const dataDir = join(home, 'data');
    mkdirSync(dataDir, { mode: 0o755 });
    for (const name of ['tallycast.sqlite', 'tallycast.sqlite-wal', 'tallycast.sqlite-shm']) {
      writeFileSync(join(dataDir, name), '', { mode: 0o644 });
      chmodSync(join(dataDir, name), 0o644);
    }
    chmodSync(dataDir, 0o755);
    await useStore(dataDir);
    assert.equal(modeOf(dataDir), '700');
  });

  it('do not change a shared folder', async () => {
    const shared = join(home, 'shared');
    mkdirSync(shared);
    chmodSync(shared, 0o1777);
    await useStore(shared);
    assert.equal(modeOf(shared), '777');
  });
});
