// Small things that told strangers too much, each with its cure.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { createDiscordSender } from '../../src/alerts/channels/discord.ts';
import { holdDataFolder } from '../../src/app/data-folder.ts';
import { createTextServer } from '../../src/server/metrics.ts';

describe('metrics', () => {
  it('answer to an address or localhost, and to no name that was rebound', { timeout: 10_000 }, async () => {
    const server = createTextServer(async () => 'up 1\n');
    const { port } = await server.listen({ host: '127.0.0.1', port: 0 });
    const ask = (host: string) =>
      new Promise<number>((resolve, reject) => {
        const options = { host: '127.0.0.1', port, path: '/metrics', headers: { Host: host }, agent: false };
        request(options, (response) => resolve(response.resume().statusCode!))
          .on('error', reject)
          .end();
      });
    try {
      assert.equal(await ask(`127.0.0.1:${port}`), 200);
      assert.equal(await ask('localhost'), 200);
      assert.equal(await ask('evil.example'), 403);
    } finally {
      await server.close();
    }
  });
});

describe('the file that names the running process', () => {
  it('is for its owner alone', () => {
    const folder = mkdtempSync(join(tmpdir(), 'tallycast-held-'));
    const held = holdDataFolder(folder, 0);
    try {
      assert.equal(statSync(join(folder, 'running.json')).mode & 0o777, 0o600);
    } finally {
      held.release();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe('a Discord message', () => {
  it('shows the markdown of a title as text, and keeps the link', async () => {
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
