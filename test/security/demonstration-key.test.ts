// The demo key over HTTP: who gets it, and what it must not allow.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Harness, startHarness } from '../api/harness.ts';

describe('the demo key', () => {
  let harness: Harness;
  before(async () => {
    harness = await startHarness({
      isDemonstration: true,
      reach: {
        isLocalAllowed: true,
        publicUrl: 'http://127.0.0.1:8080',
        findTelegramBot: async () => null,
      },
    });
  });
  after(() => harness.close());

  const ask = (headers: Record<string, string> = {}, method = 'POST', from = '127.0.0.1') =>
    harness.call('//demo-key', { method, headers, from });
  const own = () => `127.0.0.1:${harness.port}`;
  const send = (path: string, body: object, key: string) =>
    harness.call(path, {
      method: 'POST',
      key,
      body: JSON.stringify(body),
      headers: { 'Content-Type': 'application/json' },
    });

  it("is issued to the service's own page, and to a caller without a browser", async () => {
    const page = await ask({ Origin: `http://${own()}`, 'Sec-Fetch-Site': 'same-origin' });
    assert.equal(page.status, 200, page.text);
    assert.equal((await ask()).json.data.key, page.json.data.key);
    assert.equal((await harness.call('/signals', { key: page.json.data.key })).status, 200);
  });

  it('is not issued to other pages, which cannot read responses either', async () => {
    const foreign: Record<string, string>[] = [
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
      { 'Sec-Fetch-Site': 'cross-site' },
      { Host: 'evil.example', Origin: 'http://evil.example', 'Sec-Fetch-Site': 'same-origin' },
    ];
    for (const headers of foreign) {
      const reply = await ask(headers);
      assert.equal(reply.status, 403, JSON.stringify(headers));
      assert.doesNotMatch(reply.text, /tc_pro_/);
      assert.equal(reply.headers['access-control-allow-origin'], undefined);
    }
    const allowed = await ask({ Origin: `http://${own()}` });
    assert.equal(allowed.headers['access-control-allow-origin'], undefined);
    const preflight = await ask(
      { Origin: 'https://evil.example', 'Access-Control-Request-Method': 'POST' },
      'OPTIONS',
    );
    assert.equal(preflight.status, 405);
    assert.equal(preflight.headers['access-control-allow-origin'], undefined);
  });

  it('is issued at most a hundred times an hour to one address', async () => {
    const from = '127.0.0.9';
    for (let asked = 0; asked < 100; asked++) assert.equal((await ask({}, 'POST', from)).status, 200);
    assert.equal((await ask({}, 'POST', from)).status, 429);
    assert.equal((await harness.call('/meta/account_a', { from })).status, 200);
  });

  it("cannot register receivers on this machine, unlike an operator's key", async () => {
    const { key } = (await ask()).json.data;
    const url = 'http://127.0.0.1:1/';
    for (const [path, body] of [
      ['/channels', { kind: 'webhook', url }],
      ['/channels', { kind: 'discord', url: 'http://localhost:1/api/webhooks/1/x' }],
      ['/channels', { kind: 'ntfy', url: `${url}topic` }],
    ] as const) {
      assert.equal((await send(path, body, key)).status, 422, path);
      assert.equal((await send(path, body, harness.keys.PRO)).status, 200, path);
    }
  });
});
