// Channels, rules and alerts over HTTP: valid and invalid input. Secrets must never be shown.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Harness, startHarness } from './harness.ts';

const DISCORD = 'https://discord.com/api/webhooks/123456/se-cret_Token';
const NTFY = { kind: 'ntfy', url: 'https://ntfy.example.com/abc-secret' };

describe('the alert endpoints', () => {
  let harness: Harness;
  before(async () => {
    harness = await startHarness({
      reach: {
        isLocalAllowed: false,
        publicUrl: 'https://t.example',
        findTelegramBot: async () => 'tally_bot',
      },
    });
  });
  after(() => harness.close());

  const send = (path: string, body?: object, key = harness.keys.PRO, method = 'POST') =>
    harness.call(path, { method, key, body: body && JSON.stringify(body), headers: JSON_TYPE });
  const list = async (path: string, key = harness.keys.PRO) => (await harness.call(path, { key })).json.data;

  for (const tier of ['FREE', 'PRO', 'INTERNAL'] as const) {
    it(`accept or reject a ${tier} key as documented`, async () => {
      const { key } = await harness.issue(tier);
      const may = tier === 'FREE' ? 401 : 200;
      assert.equal((await send('/channels', { kind: 'discord', url: DISCORD }, key)).status, may);
      assert.equal((await send('/rules', { kind: 'settled' }, key)).status, may);
      assert.equal((await send('/rules/none/test', undefined, key)).status, may === 200 ? 404 : 401);
      assert.equal((await send('/channels/none/test', undefined, key)).status, may === 200 ? 404 : 401);
      for (const path of ['/rules/none', '/channels/none'])
        assert.equal((await send(path, undefined, key, 'DELETE')).status, may === 200 ? 404 : 401);
    });
  }

  it("show a webhook's secret once and never show a chat's address", async () => {
    const { key } = await harness.issue('PRO');
    const hook = await send('/channels', { kind: 'webhook', url: 'https://hooks.example.com/x' }, key);
    assert.match(hook.json.data.secret, /^whsec_/);
    const chat = await send('/channels', { kind: 'discord', url: DISCORD, label: 'desk' }, key);
    const topic = await send('/channels', NTFY, key);
    const listed = await harness.call('/channels', { key });
    assert.equal(listed.json.data.length, 3);
    for (const { text } of [chat, topic, listed]) assert.doesNotMatch(text, /whsec_|se-cret|abc-secret/);
    assert.deepEqual(
      listed.json.data
        .map((one: { kind: string; state: string; target: string }) => [one.kind, one.state, one.target])
        .sort(),
      [
        ['discord', 'ready', 'discord.com/…'],
        ['ntfy', 'ready', 'ntfy.example.com/…'],
        ['webhook', 'ready', 'https://hooks.example.com/x'],
      ],
    );
  });

  it('link a Telegram chat with a code that is shown once', async () => {
    const { key } = await harness.issue('PRO');
    const { data } = (await send('/channels', { kind: 'telegram' }, key)).json;
    assert.equal(data.link_url, `https://t.me/tally_bot?start=${data.link_code}`);
    const before = await harness.call('/channels', { key });
    assert.doesNotMatch(before.text, new RegExp(data.link_code));
    assert.equal(before.json.data[0].state, 'linking');
    await harness.store.webhooks.completeLink(data.link_code, '4455667', harness.clock.now());
    const [linked] = await list('/channels', key);
    assert.deepEqual([linked.state, linked.target], ['ready', 'chat …667']);
  });

  it('report an invalid field and change nothing', async () => {
    const { key } = await harness.issue('PRO');
    const refused: [string, object, string][] = [
      ['/channels', { kind: 'pigeon' }, 'kind'],
      ['/channels', { kind: 'webhook' }, 'url'],
      ['/channels', { kind: 'webhook', url: 'https://127.0.0.1/' }, 'url'],
      ['/channels', { kind: 'discord', url: 'https://example.com/api/webhooks/1/x' }, 'url'],
      ['/channels', { kind: 'telegram', url: 'https://example.com' }, 'url'],
      ['/channels', { kind: 'ntfy', url: 'http://ntfy.example.com/topic' }, 'url'],
      ['/channels', { kind: 'ntfy', url: 'https://ntfy.example.com/' }, 'url'],
      ['/rules', { kind: 'weather' }, 'kind'],
      ['/rules', { kind: 'settled', account: 'account_z' }, 'account'],
      ['/rules', { kind: 'price_moved', account: 'account_a', event_id: 1 }, 'event_id'],
      ['/rules', { kind: 'price_moved', account: 'account_b', event_id: 1001 }, 'event_id'],
      ['/rules', { kind: 'price_moved', event_id: 1 }, 'event_id'],
      ['/rules', { kind: 'settled', threshold: 3 }, 'threshold'],
      ['/rules', { kind: 'price_moved', threshold: 0.005 }, 'threshold'],
      ['/rules', { kind: 'feed', channels: 'not-mine' }, 'channels'],
      ['/rules', { kind: 'feed', quiet_from: '22:00' }, 'quiet_to'],
      ['/rules', { kind: 'feed', quiet_from: '25:00', quiet_to: '07:00' }, 'quiet_from'],
      ['/rules', { kind: 'feed', quiet_from: '22:00', quiet_to: '07:00', quiet_zone: 'Mars' }, 'quiet_zone'],
      ['/rules', { kind: 'feed', most_per_hour: 0 }, 'most_per_hour'],
    ];
    for (const [path, body, field] of refused) {
      const reply = await send(path, body, key);
      assert.equal(reply.status, 422, `${path} ${JSON.stringify(body)}: ${reply.text}`);
      assert.deepEqual(reply.json.detail[0].loc, ['body', field]);
    }
    assert.equal((await harness.call('/notices?cursor=no', { key })).status, 422);
    assert.deepEqual([await list('/channels', key), await list('/rules', key)], [[], []]);
  });

  it('accept a rule for any known event, running, upcoming or over', async () => {
    const { key } = await harness.issue('PRO');
    for (const event_id of [1001, 1003, 1004]) {
      const { status, json } = await send('/rules', { kind: 'settled', account: 'account_a', event_id }, key);
      assert.deepEqual([status, json.data?.event_id], [200, event_id]);
    }
  });

  it("let a key replace its own rules by id, but not another key's", async () => {
    const key = (await harness.issue('PRO')).key;
    const headers = { 'content-type': 'application/json' };
    const send = (path: string, body: object, by = key) =>
      harness.call(path, { method: 'POST', key: by, headers, body: JSON.stringify(body) });
    const { json } = await send('/rules', { kind: 'price_moved', threshold: 0.07 });
    const path = `/rules/${json.data.rule_id}`;
    const other = (await harness.issue('PRO')).key;
    assert.equal((await send(path, { kind: 'settled' }, other)).status, 404);
    assert.equal((await send(path, { kind: 'price_moved', threshold: 9 })).status, 422);
    const replaced = await send(path, { kind: 'price_moved', threshold: 0.09, most_per_hour: 3 });
    assert.equal(replaced.status, 200);
    const { json: listed } = await harness.call('/rules', { key });
    assert.deepEqual(listed.data, [replaced.json.data]);
    assert.deepEqual([listed.data[0].threshold, listed.data[0].most_per_hour], [0.09, 3]);
  });

  it('keep the rules and channels of different keys separate', async () => {
    const [one, other] = [(await harness.issue('PRO')).key, (await harness.issue('PRO')).key];
    const channel = (await send('/channels', { kind: 'discord', url: DISCORD }, one)).json.data.channel_id;
    const rule = (await send('/rules', { kind: 'feed', channels: channel }, one)).json.data;
    assert.deepEqual([rule.channels, rule.threshold, rule.most_per_hour], [[channel], null, 20]);
    assert.equal((await send('/rules', { kind: 'feed', channels: channel }, other)).status, 422);
    for (const path of [`/rules/${rule.rule_id}`, `/channels/${channel}`]) {
      assert.equal((await send(path, undefined, other, 'DELETE')).status, 404);
      assert.equal((await send(`${path}/test`, undefined, other)).status, 404);
    }
    assert.equal((await send(`/channels/${channel}`, undefined, one, 'DELETE')).status, 200);
    assert.deepEqual((await list('/rules', one))[0].channels, []);
    assert.equal((await send(`/rules/${rule.rule_id}`, undefined, one, 'DELETE')).status, 200);
    assert.deepEqual(await list('/rules', one), []);
  });

  it("send a test alert to the rule's channels immediately, and list alerts page by page", async () => {
    const { key } = await harness.issue('PRO');
    const channel = (await send('/channels', { kind: 'discord', url: DISCORD }, key)).json.data.channel_id;
    const body = {
      kind: 'activity',
      account: 'account_b',
      channels: channel,
      quiet_from: '00:00',
      quiet_to: '23:59',
    };
    const rule = (await send('/rules', body, key)).json.data;
    assert.deepEqual([rule.account, rule.threshold, rule.quiet_zone], ['account_b', 120, 'UTC']);
    const ids: string[] = [];
    for (let i = 0; i < 3; i++)
      ids.push((await send(`/rules/${rule.rule_id}/test`, undefined, key)).json.data.notice_id);
    const due = await harness.store.webhooks.listDue(harness.clock.now(), 100);
    assert.equal(due.filter(({ webhookId }) => webhookId === channel).length, 3);
    const first = (await harness.call('/notices?limit=2', { key })).json;
    const second = (await harness.call(`/notices?limit=2&cursor=${first.next_cursor}`, { key })).json;
    const seen = [...first.data, ...second.data].map((alert: { notice_id: string }) => alert.notice_id);
    assert.deepEqual([seen.length, second.next_cursor, [...seen].sort()], [3, null, [...ids].sort()]);
    assert.equal(first.data[0].title, 'Test: activity');
  });

  it('allow sixty test alerts per key and hour across all channels', async () => {
    const { key } = await harness.issue('PRO');
    const { json } = await send('/channels', { kind: 'discord', url: DISCORD }, key);
    const path = `/channels/${json.data.channel_id}/test`;
    for (let i = 0; i < 60; i++) assert.equal((await send(path, undefined, key)).status, 200);
    const refused = await send(path, undefined, key);
    assert.equal(refused.status, 429);
    assert.ok(Number(refused.headers['retry-after']) > 0);
    harness.clock.step(3_600_000);
    assert.equal((await send(path, undefined, key)).status, 200);
  });

  it('allow twenty channels and a hundred rules per key', async () => {
    const { key } = await harness.issue('PRO');
    for (let i = 0; i < 20; i++)
      assert.equal((await send('/channels', { kind: 'discord', url: `${DISCORD}${i}` }, key)).status, 200);
    const over = await send('/channels', { kind: 'discord', url: DISCORD }, key);
    assert.deepEqual([over.status, /20 channels/.test(over.json.detail)], [400, true]);
    for (let i = 0; i < 100; i++) assert.equal((await send('/rules', { kind: 'feed' }, key)).status, 200);
    assert.equal((await send('/rules', { kind: 'feed' }, key)).status, 400);
  });
});

const JSON_TYPE = { 'content-type': 'application/json' };
