// If the first process of serve --workers is killed, its workers exit too, because they would get no new data. That
// frees the port and the folder. test/store/kill.test.ts shows that no counted post is lost.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { holdDataFolder } from '../../src/app/data-folder.ts';
import { type ChildService, startService } from '../roles/child-service.ts';
import { waitUntil, writeYoungSimulator } from '../support/boot.ts';
import { isAlive } from '../support/postgres.ts';

describe('the first process of serve --workers', { timeout: 180_000 }, () => {
  it('takes its workers down when killed, which frees the port and the data folder', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'tallycast-first-'));
    writeYoungSimulator(dataDir, 7);
    const args = ['--port', '0', '--data-dir', dataDir, '--simulator-seed', '7', '--workers', '2'];
    const service = await startService({ name: 'workers', args, env: {} });
    try {
      const workers = childrenOf(service.child.pid!);
      assert.ok(workers.length > 0);
      assert.throws(() => holdDataFolder(dataDir, Date.now()), /is in use by/);
      await kill(service);
      await waitUntil(() => !workers.some(isAlive));
      const successor = createServer().listen(Number(new URL(service.url!).port), '127.0.0.1');
      await once(successor, 'listening');
      successor.close();
      holdDataFolder(dataDir, Date.now()).release();
    } finally {
      await kill(service);
      rmSync(dataDir, { recursive: true, force: true });
    }
  });
});

async function kill({ child }: ChildService): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
}
