// From a simulated post to its subscribers: the stream reports the post, and a signed webhook arrives.

import assert from 'node:assert/strict';
import type { IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { createTallycast, type Tallycast, verifyWebhook } from '../../packages/client-js/src/index.ts';
import { createGuardedPost } from '../../src/alerts/delivery/post-guarded.ts';
import { type BootedService, bootService, waitUntil } from '../support/boot.ts';
import { type LocalServer, serve } from '../support/local-server.ts';

interface Received {
  headers: IncomingHttpHeaders;
  body: string;
}

let service: BootedService;
let receiver: LocalServer;
let client: Tallycast;
const received: Received[] = [];
let answerWith = 204;

before(async () => {
  receiver = await serve(async (req, res) => {
    received.push({ headers: req.headers, body: await text(req) });
    res.writeHead(answerWith).end();
  });
  const post = createGuardedPost(() => false);
  // Register a public host name; deliveries to it arrive here.
  service = await bootService({
    args: ['--accounts', '3'],
    overrides: {
      postWebhook: (alert) => post({ ...alert, url: receiver.url + new URL(alert.url).pathname }),
    },
  });
  client = createTallycast({ url: service.url, apiKey: await service.issueKey('PRO') });
});
after(async () => {
  await service.stop();
  receiver.close();
});

describe('a simulated post', { timeout: 180_000 }, () => {
  it("reaches a webhook under its account's name, signed, and is sent again on request", async () => {
    const { data: webhook } = await client.channels.create({
      kind: 'webhook',
      url: 'https://hooks.example.org/notices',
    });
    const channels = webhook.channel_id;
    await client.rules.create({ kind: 'post_captured', account: 'account_c', channels });
    // The service loads rules every other second, and does not send earlier posts.
    let sent = 0;
    const find = () => received[0];
    await waitUntil(() => {
      if (sent++ % 40 === 0) service.app.simulator!.simulator!.injectPost({ accountId: 'c' });
      return find() !== undefined;
    });
    const { headers, body } = find()!;
    const alert = await verifyWebhook(webhook.secret!, headers, body);
    assert.deepEqual([alert.type, alert.account], ['notice.post_captured', 'account_c']);
    await assert.rejects(
      verifyWebhook(webhook.secret!, headers, body.replace('captured', 'deleted')),
      /not signed/,
    );

    const deliveryId = String(headers['webhook-id']);
    const findDelivery = async () =>
      (await client.channels.deliveries(webhook.channel_id)).data.find(
        ({ delivery_id }) => delivery_id === deliveryId,
      )!;
    await waitUntil(async () => (await findDelivery()).status === 'delivered');
    assert.deepEqual(
      [(await findDelivery()).attempts, (await findDelivery()).last_response],
      [1, 'status 204'],
    );

    const { data: replayed } = await client.channels.replay(webhook.channel_id, deliveryId);
    assert.equal(replayed.status, 'pending');
    const same = () => received.filter((one) => one.headers['webhook-id'] === deliveryId);
    await waitUntil(() => same().length === 2);
    await verifyWebhook(webhook.secret!, same()[1]!.headers, same()[1]!.body);

    answerWith = 500;
    await client.channels.replay(webhook.channel_id, deliveryId);
    await waitUntil(async () => (await findDelivery()).last_response === 'status 500');
    const failing = await findDelivery();
    assert.equal(failing.status, 'pending');
    assert.ok(failing.next_attempt_ts! > failing.updated_ts);

    await client.channels.remove(webhook.channel_id);
    assert.deepEqual((await client.channels.list()).data, []);
  });
});
