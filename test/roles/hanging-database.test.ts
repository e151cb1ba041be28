// A hanging PostgreSQL server stays connected but sends nothing. Callers still get responses, and a shutdown
// completes.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { createKeyService } from '../../src/access/key-service.ts';
import { createClosers } from '../../src/app/closers.ts';
import { createManualClock, systemClock } from '../../src/runtime/clock.ts';
import { silentLogger } from '../../src/runtime/logger.ts';
import { openStore } from '../../src/store/open-store.ts';
import { createTcpGate } from '../store/tcp-gate.ts';
import { writeYoungSimulator } from '../support/boot.ts';
import { createDatabase } from '../support/postgres.ts';
import { makeTempFolder } from '../support/temp-store.ts';
import { startService } from './child-service.ts';

/** Far longer than a busy machine needs, but shorter than a wait without deadlines. */
const ANSWER_WITHIN_MS = 15_000;
/** Time limit for closing components, by their own clock. */
const STOP_WITHIN_MS = 16_000;

describe('a hanging PostgreSQL server', { timeout: 120_000 }, () => {
  it('blocks neither callers nor shutdown', async () => {
    const database = await createDatabase();
    const url = new URL(database.url);
    const gate = await createTcpGate(Number(url.port));
    url.port = String(gate.port);
    const dataDir = makeTempFolder('hang');
    writeYoungSimulator(dataDir, 7);
    const service = await startService({
      name: 'hung',
      args: ['--port', '0', '--data-dir', dataDir, '--simulator-seed', '7'],
      env: { DATABASE_URL: url.toString() },
    });
    try {
      const [free, pro] = await issueKeys(database.url);
      const ask = async (path: string, key?: string) => {
        const headers: Record<string, string> = key ? { 'X-API-Key': key } : {};
        const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
        return (await fetch(`${service.url}/api/v1${path}`, { headers, signal })).status;
      };
      assert.equal(await ask('/meta/account_a', free), 200);
      assert.equal(await ask('/prediction/account_a', pro), 200);
      gate.stick();
      for (let round = 0; round < 5; round++) {
        const asked = [
          ask('/meta/account_a'),
          ask('/meta/account_a', free),
          ask('/prediction/account_a', pro),
        ];
        assert.deepEqual(await Promise.all(asked), [200, 200, 200]);
      }
      const exited = once(service.child, 'exit').then(() => 'ended');
      service.kill('SIGTERM');
      // The suite's timeout reports a hang.
      assert.equal(await exited, 'ended');
    } finally {
      service.kill('SIGKILL');
      gate.shut();
      await gate.close();
      await database.drop();
    }
  });
});

async function issueKeys(databaseUrl: string): Promise<[free: string, pro: string]> {
  const store = await openStore({ dataDir: '', databaseUrl, clock: systemClock, logger: silentLogger });
  const keyService = createKeyService(store.keys, systemClock);
  const issue = async (tier: 'FREE' | 'PRO') => (await keyService.issue({ tier, label: 'test' })).key;
  const keys: [string, string] = [await issue('FREE'), await issue('PRO')];
  await store.close();
  return keys;
}

describe('component shutdown', () => {
  it('closes every component even if some hang, and ends in time', async () => {
    const clock = createManualClock(0);
    const closers = createClosers(silentLogger, clock);
    const closed: string[] = [];
    closers.add('store', async () => void closed.push('store'));
    closers.add('hung', () => new Promise(() => {}));
    closers.add('also hung', () => new Promise(() => {}));
    const all = closers.closeAll();
    let passedMs = 0;
    while (closed.length === 0 && passedMs < STOP_WITHIN_MS) {
      await clock.advanceAsync(250);
      passedMs += 250;
    }
    await all;
    assert.deepEqual(closed, ['store']);
  });
});
