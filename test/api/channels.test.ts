// Every kind of channel against a simulated receiver with the real wire format: single delivery, rate limits,
// receivers that are gone, and linking by a message to the bot.

import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { type SimulatorServer, startSimulatorServer } from '../../simulator/server.ts';
import { createSimulator } from '../../simulator/simulator.ts';
import { createDiscordSender } from '../../src/alerts/channels/discord.ts';
import { createNtfySender } from '../../src/alerts/channels/ntfy.ts';
import { createTelegramLinking, createTelegramSender } from '../../src/alerts/channels/telegram.ts';
import { createTelegramClient } from '../../src/alerts/channels/telegram-client.ts';
import { createLocalPost } from '../../src/alerts/delivery/post-guarded.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { silentLogger } from '../../src/runtime/logger.ts';
import type { WebhookDelivery, WebhookEndpoint } from '../../src/store/ports.ts';
import { sampleDelivery, sampleWebhook } from '../store/samples.ts';
import { waitUntil } from '../support/boot.ts';
import { serve } from '../support/local-server.ts';

const TOKEN = `1000000001:${'a'.repeat(35)}`;
const NOTICE = {
  type: 'notice.settled',
  timestamp: 5,
  account: 'account_a',
  data: {
    notice_id: 'ntc_1',
    what: 'settled',
    event_id: 7,
    title: 'A: settled at 130',
    text: 'Winner: 120-139.',
    link: 'https://t.example/#/live/account_a/7/5',
  },
};
const DELIVERY: WebhookDelivery = sampleDelivery({ body: JSON.stringify(NOTICE) });
const LINES = 'A: settled at 130\nWinner: 120-139.\nhttps://t.example/#/live/account_a/7/5';

let simulator: SimulatorServer;
before(async () => {
  const anchorTs = Date.UTC(2026, 2, 10);
  simulator = await startSimulatorServer(
    createSimulator({ seed: 1, anchorTs, clock: systemClock, accounts: [] }),
  );
});
after(() => simulator.close());

async function listReceived(system: string): Promise<{ to: string; text: string | null }[]> {
  const { messages } = (await (await fetch(`${simulator.urls.admin}/messages`)).json()) as {
    messages: { system: string; to: string; text: string | null }[];
  };
  return messages.filter((message) => message.system === system);
}

describe('a Discord channel', () => {
  const channel = (id: string): WebhookEndpoint =>
    sampleWebhook({ kind: 'discord', url: `${simulator.urls.base}/discord/api/webhooks/${id}/token` });

  it('receives the text and link, and is paused when its rate limit is reached', async () => {
    const send = createDiscordSender(createLocalPost());
    // Send all at once, because on a busy machine the rate-limit bucket would refill in between.
    const outcomes = await Promise.all(Array.from({ length: 40 }, () => send(channel('11'), DELIVERY)));
    assert.equal((await listReceived('discord'))[0]!.text, LINES);
    const refused = outcomes.find(({ isDelivered }) => !isDelivered)!;
    assert.deepEqual([refused.response, refused.isGone], ['status 429', undefined]);
    assert.ok(refused.pauseMs! > 0 && refused.pauseMs! <= 2_000);
    assert.ok(outcomes.some(({ isDelivered, pauseMs }) => isDelivered && pauseMs !== undefined));
  });

  it('is disabled when the webhook is gone', async () => {
    const gone = sampleWebhook({ kind: 'discord', url: `${simulator.urls.base}/discord/api/other` });
    assert.equal((await createDiscordSender(createLocalPost())(gone, DELIVERY)).isGone, true);
  });
});

describe('a Telegram channel', () => {
  const say = (text: string, chatId: number) =>
    fetch(`${simulator.urls.admin}/telegram`, {
      method: 'POST',
      body: JSON.stringify({ text, chat_id: chatId }),
    });
  const client = () => createTelegramClient({ baseUrl: `${simulator.urls.base}/telegram`, token: TOKEN });

  it('is linked by one message to the bot, then receives pending alerts', async () => {
    const links: [string, string][] = [];
    const linking = createTelegramLinking({
      ...{ client: client(), clock: systemClock, logger: silentLogger },
      webhooks: {
        async completeLink(code, url) {
          links.push([code, url]);
          return code === 'GOOD2345' ? sampleWebhook({ url }) : undefined;
        },
      },
    });
    linking.start();
    for (const text of ['hello', '/start GOOD2345', '/start NOTKNOWN']) await say(text, 4321);
    await waitUntil(async () => (await listReceived('telegram')).length === 2);
    await linking.stop();
    assert.deepEqual(links, [
      ['GOOD2345', '4321'],
      ['NOTKNOWN', '4321'],
    ]);
    const [linked, unknown] = await listReceived('telegram');
    assert.match(linked!.text!, /^Linked/);
    assert.match(unknown!.text!, /invalid/);
    const chat = sampleWebhook({ kind: 'telegram', url: '4321' });
    assert.equal((await createTelegramSender(client())(chat, DELIVERY)).isDelivered, true);
    assert.equal((await listReceived('telegram')).at(-1)!.text, LINES);
  });

  it('honours retry_after, and is disabled when the chat is gone', async () => {
    const send = createTelegramSender(client());
    const chat = sampleWebhook({ kind: 'telegram', url: '99' });
    let outcome = await send(chat, DELIVERY);
    for (let i = 0; i < 30 && outcome.isDelivered; i++) outcome = await send(chat, DELIVERY);
    assert.deepEqual([outcome.isDelivered, outcome.pauseMs], [false, 1_000]);
    const gone = await send(sampleWebhook({ kind: 'telegram', url: 'unknown' }), DELIVERY);
    assert.equal(gone.isGone, true);
    const link = { code: 'X', expiresTs: 1 };
    const early = await send(sampleWebhook({ kind: 'telegram', url: '', link }), DELIVERY);
    assert.deepEqual([early.isDelivered, early.isGone], [false, undefined]);
  });

  it('never shows the token', async () => {
    const broken = createTelegramClient({ baseUrl: 'http://127.0.0.1:9', token: TOKEN });
    const { response } = await createTelegramSender(broken)(sampleWebhook({ url: '1' }), DELIVERY);
    assert.ok(!response.includes(TOKEN));
  });
});

describe('an ntfy channel', () => {
  async function sendTo(status: number, path = '/topic_1', link = NOTICE.data.link) {
    const got: [url: string | undefined, body: string][] = [];
    const server = await serve(async (req, res) => {
      got.push([req.url, await text(req)]);
      res.writeHead(status).end();
    });
    const channel = sampleWebhook({ kind: 'ntfy', url: server.url + path });
    const body = JSON.stringify({ ...NOTICE, data: { ...NOTICE.data, link } });
    const outcome = await createNtfySender(createLocalPost())(channel, sampleDelivery({ body }));
    server.close();
    return { outcome, got };
  }

  it('gets one POST with the title, the text and the address to open', async () => {
    const { outcome, got } = await sendTo(200, '/at/topic_1?auth=abc');
    assert.deepEqual([outcome.isDelivered, got.length], [true, 1]);
    const [url, body] = got[0]!;
    assert.equal(url, '/at/?auth=abc');
    const { title, text: message, link: click } = NOTICE.data;
    assert.deepEqual(JSON.parse(body), { topic: 'topic_1', title, message, click });
    const [, bare] = (await sendTo(200, '/topic_1', '/#/live')).got[0]!;
    assert.equal('click' in JSON.parse(bare), false);
  });

  it('is paused when its server is too busy, and disabled when the topic is closed to us', async () => {
    assert.equal((await sendTo(429)).outcome.pauseMs, 60_000);
    assert.equal((await sendTo(403)).outcome.isGone, true);
    assert.deepEqual(
      [(await sendTo(500)).outcome.isDelivered, (await sendTo(500)).outcome.isGone],
      [false, undefined],
    );
  });
});
