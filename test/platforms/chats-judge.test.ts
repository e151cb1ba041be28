// Unmodified, widely used Telegram and Discord clients work with the simulated platforms, and the service sends the
// same requests as they do.

import assert from 'node:assert/strict';
import { json } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { type SimulatorServer, startSimulatorServer } from '../../simulator/server.ts';
import { createSimulator } from '../../simulator/simulator.ts';
import { createDiscordSender } from '../../src/alerts/channels/discord.ts';
import { createTelegramClient } from '../../src/alerts/channels/telegram-client.ts';
import { createLocalPost } from '../../src/alerts/delivery/post-guarded.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { sampleDelivery, sampleWebhook } from '../store/samples.ts';
import { type LocalServer, serve } from '../support/local-server.ts';
import { createJudge } from './judge.ts';

interface Grammy {
  Api: new (
    token: string,
    options: { apiRoot: string },
  ) => {
    getMe(): Promise<{ is_bot: boolean; username: string }>;
    sendMessage(
      chatId: number | string,
      text: string,
      other?: object,
    ): Promise<{ chat: { id: number }; text: string }>;
    getUpdates(options: object): Promise<{ update_id: number; message: { text: string } }[]>;
  };
}

interface DiscordRest {
  REST: new (
    options: object,
  ) => {
    post(route: string, options: { body: object; auth: false }): Promise<unknown>;
  };
}

/** Loaded by name without types, because they serve only as a reference. */
const load = <T>(name: string): Promise<T> => import(name) as Promise<T>;
const TOKEN = `1000000001:${'a'.repeat(35)}`;
const WEBHOOK = '/webhooks/123456789012345678/token';
const NOTICE = {
  ...{ type: 'notice.settled', timestamp: 5, account: 'account_a' },
  data: { title: 'A: settled at 130', text: 'Winner: 120-139 @everyone', link: '' },
};
const WORDS = 'A: settled at 130\nWinner: 120-139 @everyone';
const telegram = createJudge();
const discord = createJudge();

interface Heard {
  method: string;
  path: string;
  type: string;
  json: unknown;
}

let simulator: SimulatorServer;
/** Accepts anything and records the requests. */
let ear: LocalServer;
const heard: Heard[] = [];

before(async () => {
  const anchorTs = Date.UTC(2026, 2, 10);
  simulator = await startSimulatorServer(
    createSimulator({ seed: 1, anchorTs, clock: systemClock, accounts: [] }),
  );
  ear = await serve(async (req, res) => {
    const type = String(req.headers['content-type']).split(';')[0]!;
    heard.push({ method: req.method!, path: req.url!, type, json: await json(req) });
    res.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true,"result":[]}');
  });
});
after(async () => {
  await simulator.close();
  ear.close();
  telegram.verdict('grammy');
  discord.verdict('@discordjs/rest');
});

async function hear(speak: () => Promise<unknown>): Promise<Heard> {
  heard.length = 0;
  await speak();
  assert.equal(heard.length, 1);
  return heard[0]!;
}

describe('grammy', () => {
  it('works with the simulated Telegram in both directions', async () => {
    const { Api } = await load<Grammy>('grammy');
    const api = new Api(TOKEN, { apiRoot: `${simulator.urls.base}/telegram` });
    const bot = await telegram.check('getMe', () => api.getMe());
    assert.equal(bot?.is_bot, true);
    const sent = await telegram.check('sendMessage', () => api.sendMessage(42, 'hello'));
    assert.deepEqual([sent?.chat.id, sent?.text], [42, 'hello']);
    const said = { text: '/start GOOD2345', chat_id: 42 };
    await fetch(`${simulator.urls.admin}/telegram`, { method: 'POST', body: JSON.stringify(said) });
    const updates = await telegram.check('getUpdates', () => api.getUpdates({ timeout: 1 }));
    assert.equal(updates?.at(-1)?.message.text, said.text);
    await assert.rejects(api.sendMessage('unknown', 'x'), { error_code: 400 });
    const burst = Array.from({ length: 40 }, () => api.sendMessage(42, 'x'));
    await assert.rejects(Promise.all(burst), { error_code: 429, parameters: { retry_after: 1 } });
    await Promise.allSettled(burst);
  });

  it('sends the same requests as this service', async () => {
    const { Api } = await load<Grammy>('grammy');
    const theirs = new Api(TOKEN, { apiRoot: ear.url });
    const ours = createTelegramClient({ baseUrl: ear.url, token: TOKEN });
    const quiet = { link_preview_options: { is_disabled: true } };
    assert.deepEqual(
      await hear(() => ours.sendMessage('42', WORDS)),
      await hear(() => theirs.sendMessage('42', WORDS, quiet)),
    );
    const { signal } = new AbortController();
    assert.deepEqual(
      await hear(() => ours.getUpdates(7, 25, signal)),
      await hear(() => theirs.getUpdates({ offset: 7, timeout: 25, allowed_updates: ['message'] })),
    );
  });
});

describe('@discordjs/rest', () => {
  const open = async (api: string) => {
    const { REST } = await load<DiscordRest>('@discordjs/rest');
    return new REST({ api, version: '10', retries: 0, rejectOnRateLimit: () => true });
  };
  const body = { content: WORDS.replace('@', '\\@'), allowed_mentions: { parse: [] } };

  it('works with the simulated Discord, and honours its rate-limit headers', async () => {
    const rest = await open(`${simulator.urls.base}/discord/api`);
    const post = (content: string) => rest.post(WEBHOOK, { body: { content }, auth: false });
    await discord.check('a message', () => post('hello'));
    await assert.rejects(post(''), { status: 400, code: 50_006 });
    const limited = async () => {
      for (let i = 0; i < 10; i++) await post('again');
    };
    await assert.rejects(limited(), { name: /^RateLimitError/, limit: 5 });
    await assert.rejects(rest.post('/webhooks/1', { body, auth: false }), { status: 404, code: 10_015 });
  });

  it('sends the same requests as this service', async () => {
    const theirs = await open(`${ear.url}/api`);
    const send = createDiscordSender(createLocalPost());
    const receiver = sampleWebhook({ kind: 'discord', url: `${ear.url}/api/v10${WEBHOOK}` });
    assert.deepEqual(
      await hear(() => send(receiver, sampleDelivery({ body: JSON.stringify(NOTICE) }))),
      await hear(() => theirs.post(WEBHOOK, { body, auth: false })),
    );
  });
});
