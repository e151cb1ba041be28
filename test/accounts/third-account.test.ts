// A third account on the whole service (`--accounts 3`): commands, webhooks, and a second process that only
// serves requests.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { type BootedService, bootService, waitUntil } from '../support/boot.ts';
import { createDatabase } from '../support/postgres.ts';
import { runCommand } from '../support/run-command.ts';

const THREE = ['--accounts', '3'];

// biome-ignore lint/suspicious/noExplicitAny: tests inspect bodies freely
type Json = any;

describe('a third account', () => {
  let database: Awaited<ReturnType<typeof createDatabase>>;
  let env: Record<string, string>;
  let service: BootedService;
  let key: string;
  before(async () => {
    database = await createDatabase();
    env = { DATABASE_URL: database.url };
    service = await bootService({ args: THREE, env });
    key = await service.issueKey('PRO');
  });
  after(async () => {
    await service?.stop();
    await database?.drop();
  });

  async function ask(url: string, path: string, init: RequestInit = {}): Promise<Json> {
    const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
    return (await fetch(`${url}/api/v1${path}`, { ...init, headers })).json();
  }
  const eventIds = async (url: string): Promise<number[]> =>
    (await ask(url, '/meta/account_c')).data?.map(({ event_id }: Json) => event_id) ?? [];

  it('can be selected by letter or name on the command line', async () => {
    for (const name of ['c', 'account_c']) {
      const env = { TALLYCAST_URL: service.url, TALLYCAST_KEY: key };
      const { code, out } = await runCommand(['events', '--account', name, '--json'], env);
      assert.equal(code, 0, out);
      const [only, ...others] = JSON.parse(out);
      assert.deepEqual(others, []);
      assert.deepEqual(
        only.data.map(({ event_id }: Json) => event_id),
        await eventIds(service.url),
      );
    }
  });

  it('has its posts delivered in signed webhooks under its own name', async () => {
    const receiver = await openReceiver();
    const body = JSON.stringify({ url: receiver.url, topics: 'post.created' });
    const { secret } = (await ask(service.url, '/webhooks', { method: 'POST', body })).data;
    const { simulator } = service.app.simulator!;
    // The service loads receivers once a second, so add posts until one is delivered.
    await waitUntil(() => {
      if (receiver.heard.length === 0) simulator!.injectPost({ accountId: 'c' });
      return receiver.heard.length > 0;
    });
    const { text, headers } = receiver.heard[0]!;
    const alert = new Webhook(secret).verify(text, headers) as Json;
    assert.deepEqual([alert.type, alert.account], ['post.created', 'account_c']);
    receiver.server.close();
  });

  it('is served identically by a second process that only serves requests', async () => {
    const args = [...THREE, '--role', 'api', '--simulator-url', service.app.simulator!.urls.base];
    const beside = await bootService({ args, env, until: 'started' });
    try {
      assert.notEqual(beside.url, service.url);
      // The first response may be incomplete.
      await waitUntil(async () => {
        const [there, here] = [await eventIds(beside.url), await eventIds(service.url)];
        return there.length > 0 && there.join() === here.join();
      });
    } finally {
      await beside.stop();
    }
    assert.ok((await eventIds(service.url)).length > 0);
  });
});

interface Heard {
  text: string;
  headers: Record<string, string>;
}

async function openReceiver(): Promise<{ url: string; heard: Heard[]; server: Server }> {
  const heard: Heard[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    heard.push({ text, headers: request.headers as Record<string, string> });
    response.end();
  });
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, heard, server };
}
