// Webhooks and pending deliveries are dropped with their key. Rotation moves them to the new key.

import assert from 'node:assert/strict';
import { createKeyService } from '../../src/access/key-service.ts';
import { createDeliveries } from '../../src/alerts/delivery/deliveries.ts';
import type { GuardedPost } from '../../src/alerts/delivery/post-guarded.ts';
import { createWebhookSecret, createWebhookSender } from '../../src/alerts/delivery/send-alert.ts';
import { createManualClock } from '../../src/runtime/clock.ts';
import { silentLogger } from '../../src/runtime/logger.ts';
import { createRandom } from '../../src/runtime/random.ts';
import type { Store } from '../../src/store/ports.ts';
import { waitUntil } from '../support/boot.ts';
import { describeStore } from './engines.ts';
import { START_TS, sampleAlert, sampleDelivery, sampleRule, sampleWebhook } from './samples.ts';

describeStore("a key's webhook", (test) => {
  test('gets deliveries while the key is valid, and none after its revocation', async (store) => {
    const { keyService, keyId, run } = await keyWithNotice(store);
    assert.deepEqual(await run(), ['https://example.test/hook']);
    await store.webhooks.enqueue([sampleDelivery({ deliveryId: 'second' })]);
    await keyService.revoke(keyId);
    assert.deepEqual(await run(), []);
    const left = (await store.webhooks.findDelivery('second'))!;
    assert.deepEqual([left.status, left.nextAttemptTs], ['failed', null]);
    assert.match(left.lastResponse!, /revoked/);
  });

  test('gets no deliveries after the key expires', async (store) => {
    const { run } = await keyWithNotice(store, { expiresTs: START_TS });
    assert.deepEqual(await run(), []);
    assert.equal((await store.webhooks.findDelivery('delivery-1'))!.status, 'failed');
  });

  test('moves to the new key on rotation, with pending deliveries', async (store) => {
    const { keyService, keyId, run } = await keyWithNotice(store);
    const { record } = await keyService.rotate(keyId);
    assert.equal((await store.webhooks.listForKey(record.keyId)).length, 1);
    assert.deepEqual(await store.webhooks.listForKey(keyId), []);
    assert.deepEqual(await run(), ['https://example.test/hook']);
    assert.equal((await store.keys.findById(keyId))!.revokedTs, START_TS);
  });
});

describeStore("a key's rules", (test) => {
  test('are active while the key is valid, and their revision number changes when the key ends', async (store) => {
    const clock = createManualClock(START_TS);
    const keyService = createKeyService(store.keys, clock);
    const { record } = await keyService.issue({ tier: 'PRO', label: 'desk', expiresTs: START_TS + 10 });
    await store.rules.insert(sampleRule({ keyId: record.keyId }));
    const revision = await store.rules.readRevision();
    assert.deepEqual(await store.rules.listStanding(START_TS), [
      { ...sampleRule({ keyId: record.keyId }), keyExpiresTs: START_TS + 10 },
    ]);
    assert.deepEqual(await store.rules.listStanding(START_TS + 10), []);
    await keyService.revoke(record.keyId);
    assert.deepEqual(await store.rules.listStanding(START_TS), []);
    assert.ok((await store.rules.readRevision()) > revision);
  });

  test('move to the new key on rotation, with their alerts', async (store) => {
    const keyService = createKeyService(store.keys, createManualClock(START_TS));
    const { record: old } = await keyService.issue({ tier: 'PRO', label: 'desk' });
    await store.rules.insert(sampleRule({ keyId: old.keyId }));
    await store.alerts.add(sampleAlert({ keyId: old.keyId }), []);
    const { record } = await keyService.rotate(old.keyId);
    assert.deepEqual(await store.rules.listForKey(old.keyId), []);
    assert.equal((await store.rules.listStanding(START_TS))[0]!.keyId, record.keyId);
    assert.equal((await store.alerts.listPage(record.keyId, { after: null, limit: 5 })).length, 1);
  });
});

async function keyWithNotice(store: Store, change: { expiresTs?: number } = {}) {
  const clock = createManualClock(START_TS);
  const keyService = createKeyService(store.keys, clock);
  const { record } = await keyService.issue({ tier: 'PRO', label: 'desk', ...change });
  await store.webhooks.insert(sampleWebhook({ keyId: record.keyId, secret: createWebhookSecret() }));
  await store.webhooks.enqueue([sampleDelivery()]);
  return { keyService, keyId: record.keyId, run: () => deliverOnce(store) };
}

/** Runs one round of deliveries and returns where they went. */
async function deliverOnce(store: Store): Promise<string[]> {
  const posts: GuardedPost[] = [];
  const clock = createManualClock(START_TS + 1);
  const deliveries = createDeliveries({
    webhooks: store.webhooks,
    send: createWebhookSender(async (post) => {
      posts.push(post);
      return { status: 204, problem: null };
    }, clock),
    clock,
    random: createRandom(1),
    logger: silentLogger,
  });
  deliveries.start();
  await waitUntil(async () => (await store.webhooks.listDue(START_TS + 1, 10)).length === 0);
  await deliveries.stop();
  return posts.map(({ url }) => url);
}
