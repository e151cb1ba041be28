// Runs every example against a booted service, as the example's header describes.

import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createWebhookSecret, signWebhook } from '../../src/alerts/delivery/send-alert.ts';
import { type BootedService, bootService, waitUntil } from '../support/boot.ts';

const EXAMPLES = fileURLToPath(new URL('../../examples', import.meta.url));

describe('examples', { timeout: 240_000 }, () => {
  let service: BootedService;
  let key: string;
  before(async () => {
    service = await bootService();
    key = await service.issueKey('PRO');
    // The examples print the oracle's count, so wait until it is known.
    await waitUntil(() =>
      service.app.board.find('a')!.events.some(({ counters }) => counters.oracle !== null),
    );
    await waitUntil(() =>
      service.app.board.find('b')!.events.some(({ counters }) => counters.oracle !== null),
    );
  });
  after(() => service.stop());

  function run(program: string, args: string[], hasKey: boolean): Promise<string> {
    const env = {
      ...process.env,
      TALLYCAST_URL: service.url,
      TALLYCAST_KEY: hasKey ? key : '',
      MESSAGES: '2',
    };
    return new Promise((resolve, reject) => {
      execFile(program, args, { env, maxBuffer: 1 << 24 }, (error, out, err) =>
        error ? reject(new Error(`${error.message}\n${err}`)) : resolve(out),
      );
    });
  }

  for (const hasKey of [true, false]) {
    const who = hasKey ? 'a PRO key' : 'no key';

    it(`run in TypeScript with ${who}`, async () => {
      const out = await run(process.execPath, [join(EXAMPLES, 'node/forecast-and-follow.ts')], hasKey);
      assert.match(out, /Account A # tweets .*: \d+ counted, oracle \d+/);
      assert.match(out, /^\d+-\d+ snapshot/m);
      assert.equal(out.includes('signals need a PRO key'), !hasKey);
    });

    it(`run in curl with ${who}`, async (t) => {
      if (spawnSync('curl', ['--version']).status !== 0) return t.skip('curl is not installed');
      const out = await run('sh', [join(EXAMPLES, 'curl/tour.sh')], hasKey);
      // On a busy machine a feed may become stale.
      assert.match(out, /"status":"(ok|degraded)"/);
      assert.match(out, /^status 304$/m);
      assert.match(out, /^event: snapshot$/m);
      assert.match(out, /"(structuredContent|content)":/);
      assert.equal(out.includes('/api/v1/signals/'), hasKey);
    });
  }

  it('include a webhook receiver that accepts only signed deliveries', async () => {
    const secret = createWebhookSecret();
    const env = { ...process.env, WEBHOOK_SECRET: secret, PORT: '0' };
    const child = spawn(process.execPath, [join(EXAMPLES, 'node/webhook-receiver.ts')], { env });
    const port = await readPort(child);
    const body = JSON.stringify({ type: 'oracle.stale', timestamp: 1, account: 'account_a', data: {} });
    const timestampS = Math.floor(Date.now() / 1000);
    const post = (signature: string) =>
      fetch(`http://127.0.0.1:${port}`, {
        method: 'POST',
        body,
        headers: {
          'webhook-id': 'msg_1',
          'webhook-timestamp': String(timestampS),
          'webhook-signature': signature,
        },
      });
    assert.equal((await post(signWebhook(secret, 'msg_1', timestampS, body))).status, 204);
    assert.equal((await post(signWebhook(createWebhookSecret(), 'msg_1', timestampS, body))).status, 400);
    child.kill();
  });
});

function readPort(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.stdout!.on('data', (chunk: Buffer) => {
      const port = /port (\d+)/.exec(chunk.toString())?.[1];
      if (port) resolve(port);
    });
    child.on('exit', (code) => reject(new Error(`the receiver exited with ${code}`)));
  });
}
