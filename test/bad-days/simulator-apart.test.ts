// `npm start` runs the simulator as a separate process, which delays no response and ends with the service.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { before, describe, it } from 'node:test';
import { type ChildService, startService } from '../roles/child-service.ts';
import { waitUntil, writeYoungSimulator } from '../support/boot.ts';
import { isAlive } from '../support/postgres.ts';
import { makeTempFolder } from '../support/temp-store.ts';

let dataDir: string;
before(() => {
  dataDir = makeTempFolder('apart');
  writeYoungSimulator(dataDir, 7);
});

const start = () =>
  startService({
    name: 'apart',
    args: ['--port', '0', '--data-dir', dataDir, '--simulator-seed', '7'],
    env: {},
  });

function simulatorOf({ child }: ChildService): number {
  const children = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8');
  const [pid] = children.split(' ').filter(Boolean).map(Number);
  assert.ok(pid, 'the service has a separate simulator process');
  return pid;
}

describe('the simulator process', { timeout: 180_000 }, () => {
  it('delays no response while it is busy, and ends on a clean stop', async () => {
    const service = await start();
    const simulator = simulatorOf(service);
    try {
      // A paused process simulates one that is busy throughout the test.
      process.kill(simulator, 'SIGSTOP');
      const signal = AbortSignal.timeout(60_000);
      const health = await fetch(`${service.url}/api/v1/health`, { signal });
      assert.ok([200, 503].includes(health.status));
      assert.ok((await health.json()) as object);
    } finally {
      process.kill(simulator, 'SIGCONT');
      await service.stop();
    }
    await waitUntil(() => !isAlive(simulator));
  });

  it('ends when the service is killed', async () => {
    const service = await start();
    const simulator = simulatorOf(service);
    const exited = once(service.child, 'exit');
    service.kill('SIGKILL');
    await exited;
    await waitUntil(() => !isAlive(simulator));
  });
});
