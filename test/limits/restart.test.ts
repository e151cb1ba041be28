// Rate-limit windows survive a restart: killing or stopping the service grants no new allowance.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { type ChildService, startService } from '../roles/child-service.ts';
import { waitUntil, writeYoungSimulator } from '../support/boot.ts';
import { makeTempFolder } from '../support/temp-store.ts';

const PATH = '/api/v1/meta/account_a';

describe('an allowance', () => {
  const folder = makeTempFolder('restart');
  writeYoungSimulator(folder, 7);
  const running: ChildService[] = [];

  after(async () => {
    await Promise.all(running.map((service) => service.stop()));
  });

  async function start(name: string): Promise<ChildService> {
    const args = ['--port', '0', '--data-dir', folder, '--simulator-seed', '7'];
    const service = await startService({ name, args, env: { LOG_LEVEL: 'warn' } });
    running.push(service);
    return service;
  }

  async function ask(service: ChildService, requests: number): Promise<number> {
    let granted = 0;
    for (let i = 0; i < requests; i++) {
      const answer = await fetch(service.url + PATH);
      await answer.arrayBuffer();
      if (answer.status === 200) granted += 1;
      else assert.equal(answer.status, 429);
    }
    return granted;
  }

  it('grants 100 requests in total even if the service is killed and then stopped', async () => {
    const first = await start('first');
    assert.equal(await ask(first, 60), 60);
    await waitUntil(() => countLogged(join(folder, 'allowances')) === 60);
    first.kill('SIGKILL');
    await once(first.child, 'exit');
    const second = await start('second');
    assert.equal(await ask(second, 30), 30);
    await second.stop();
    const third = await start('third');
    assert.equal(await ask(third, 30), 10);
  });
});

/** Requests of the public allowance in the log. */
function countLogged(logs: string): number {
  const lines = readdirSync(logs).flatMap((name) => readFileSync(join(logs, name), 'utf8').split('\n'));
  const counts = lines.map((line) => Number(/^\d+ (\d+) meta:/.exec(line)?.[1] ?? 0));
  return counts.reduce((sum, count) => sum + count, 0);
}
