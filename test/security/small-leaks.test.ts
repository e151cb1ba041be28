// Regression tests for small information leaks.

import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { createDiscordSender } from '../../src/alerts/channels/discord.ts';
import { holdDataFolder } from '../../src/app/data-folder.ts';
import { createTextServer } from '../../src/server/metrics.ts';
import { makeTempFolder } from '../support/temp-store.ts';

describe('metrics', () => {
  const ask = (port: number, host: string) =>
    new Promise<number>((resolve, reject) => {
      const options = { host: '127.0.0.1', port, path: '/metrics', headers: { Host: host }, agent: false };
      request(options, (response) => resolve(response.resume().statusCode!))
        .on('error', reject)
        .end();
    });
  const asked = async (listenOn: string, hosts: readonly string[]) => {
    const server = createTextServer(async () => 'up 1\n');
    const { port } = await server.listen({ host: listenOn, port: 0 });
    return Promise.all(hosts.map((host) => ask(port, host))).finally(() => server.close());
  };

  it('are served on loopback only if the Host is an IP address or localhost', {
    timeout: 20_000,
  }, async () => {
    const hosts = ['127.0.0.1:9464', 'localhost', 'evil.example', 'tallycast:9464'];
    assert.deepEqual(await asked('127.0.0.1', hosts), [200, 200, 403, 403]);
    assert.deepEqual(await asked('localhost', hosts), [200, 200, 403, 403]);
  });

  it('are served for any Host if the operator opened them', {
    timeout: 20_000,
  }, async () => {
    assert.deepEqual(await asked('0.0.0.0', ['tallycast:9464', '127.0.0.1']), [200, 200]);
  });
});

describe('the lock file in the data folder', () => {
  it('is readable by its owner only', () => {
    const folder = makeTempFolder('held');
    const held = holdDataFolder(folder, 0);
    try {
      assert.equal(statSync(join(folder, 'running.json')).mode & 0o777, 0o600);
    } finally {
      held.release();
    }
  });
});

describe('a Discord message', () => {
  it('escapes markdown in a title and keeps the link', async () => {
    let sent = '';
    const send = createDiscordSender(async ({ body }) => {
      sent = (JSON.parse(String(body)) as { content: string }).content;
      return { status: 204, problem: null };
    });
    const data = {
      title: '[free](https://evil.example) **now**',
      text: 'a_b',
      link: 'https://t.example/x_y',
    };
    await send({ url: 'https://discord.com/' } as never, { body: JSON.stringify({ data }) } as never);
    assert.equal(sent, '\\[free\\]\\(https://evil.example\\) \\*\\*now\\*\\*\na\\_b\nhttps://t.example/x_y');
  });
});
