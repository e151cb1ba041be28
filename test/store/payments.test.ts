import assert from 'node:assert/strict';
import { describeStore } from './engines.ts';
import { START_TS, sampleDelivery, sampleKey, samplePayment, sampleWebhook } from './samples.ts';

describeStore('payments', (test) => {
  test('reserve an authorisation for only one of many concurrent calls', async (store, place) => {
    const other = await place.open();
    const taken = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        (i % 2 ? store : other).payments.reserve(
          samplePayment({ paymentId: `p${i}`, payer: i % 3 ? '0xpayer' : '0xPAYER' }),
        ),
      ),
    );
    assert.equal(taken.filter(Boolean).length, 1);
    assert.equal(await store.payments.reserve(samplePayment({ paymentId: 'q', nonce: '0x02' })), true);
  });

  test('can reuse an authorisation only after its release', async (store) => {
    await store.payments.reserve(samplePayment());
    const change = { updatedTs: START_TS + 1 };
    assert.equal(await store.payments.transition('pay-1', ['reserved'], 'released', change), true);
    const again = samplePayment({ paymentId: 'pay-2', createdTs: START_TS + 2 });
    assert.equal(await store.payments.reserve(again), true);
    assert.deepEqual(await store.payments.find('pay-2'), again);
    assert.equal(await store.payments.reserve(samplePayment({ paymentId: 'pay-3' })), false);
  });

  test('change state only from the given state', async (store) => {
    await store.payments.reserve(samplePayment());
    const move = (from: 'reserved' | 'settling', to: 'settling' | 'settled', transaction?: string) =>
      store.payments.transition('pay-1', [from], to, { updatedTs: START_TS + 1, transaction });
    assert.equal(await move('settling', 'settled'), false);
    const raced = await Promise.all([move('reserved', 'settling'), move('reserved', 'settling')]);
    assert.deepEqual(raced.sort(), [false, true]);
    assert.equal(await move('settling', 'settled', '0xhash'), true);
    const found = await store.payments.find('pay-1');
    assert.equal(found?.state, 'settled');
    assert.equal(found?.transaction, '0xhash');
    assert.equal(found?.updatedTs, START_TS + 1);
    assert.equal(await store.payments.transition('pay-1', [], 'failed', { updatedTs: 1 }), false);
    assert.equal(await store.payments.find('nothing'), undefined);
  });

  test('change state only if the row was last updated at the given time', async (store) => {
    await store.payments.reserve(samplePayment());
    const move = (ifUpdatedTs: number) =>
      store.payments.transition('pay-1', ['reserved'], 'released', { updatedTs: START_TS + 1, ifUpdatedTs });
    assert.equal(await move(samplePayment().updatedTs - 1), false);
    assert.equal(await move(samplePayment().updatedTs), true);
  });

  test('are listed newest first, can be filtered by state, and have exact sums of any size', async (store) => {
    const huge = 2n ** 255n;
    const payments = [
      samplePayment({ paymentId: 'p1', nonce: '1', amount: huge.toString() }),
      samplePayment({ paymentId: 'p2', nonce: '2', amount: huge.toString(), createdTs: START_TS + 1 }),
      samplePayment({ paymentId: 'p3', nonce: '3', state: 'settled', updatedTs: START_TS + 9 }),
    ];
    for (const payment of payments) await store.payments.reserve(payment);
    assert.deepEqual(await store.payments.list({ limit: 2, offset: 0 }), [payments[1], payments[2]]);
    assert.deepEqual(await store.payments.list({ limit: 2, offset: 2 }), [payments[0]]);
    assert.deepEqual(await store.payments.listByState(['settled', 'failed'], START_TS + 10), [payments[2]]);
    assert.deepEqual(await store.payments.listByState(['settled'], START_TS + 9), []);
    assert.deepEqual(await store.payments.totals(), [
      { state: 'reserved', count: 2, amount: (huge * 2n).toString() },
      { state: 'settled', count: 1, amount: '10000' },
    ]);
  });
});

describeStore('webhooks', (test) => {
  test('are listed and removed only for their own key, with their pending deliveries', async (store) => {
    const hook = sampleWebhook();
    await store.webhooks.insert(hook);
    await store.webhooks.insert(sampleWebhook({ webhookId: 'hook-2', keyId: 'key-2' }));
    await store.keys.insert(sampleKey());
    await store.webhooks.enqueue([sampleDelivery()]);
    assert.deepEqual(await store.webhooks.listForKey('key-1'), [hook]);
    assert.deepEqual(await store.webhooks.listStanding(START_TS), [hook]);
    assert.equal(await store.webhooks.remove('key-2', 'hook-1'), false);
    assert.equal(await store.webhooks.remove('key-1', 'hook-1'), true);
    assert.deepEqual(await store.webhooks.listForKey('key-1'), []);
    assert.equal(await store.webhooks.findDelivery('delivery-1'), undefined);
  });

  test('are limited per key, even if created concurrently', async (store, place) => {
    await store.keys.insert(sampleKey());
    const other = await place.open();
    const inserted = await Promise.all(
      Array.from({ length: 30 }, (_, i) =>
        (i % 2 ? store : other).webhooks.insert(sampleWebhook({ webhookId: `hook-${i}` }), 20),
      ),
    );
    assert.equal(inserted.filter(Boolean).length, 20);
    assert.equal((await store.webhooks.listForKey('key-1')).length, 20);
  });

  test('deliver oldest first, and pruning keeps pending deliveries', async (store) => {
    const owed = ['1', '2', '3'].map((n, i) =>
      sampleDelivery({ deliveryId: n, nextAttemptTs: START_TS + 10 - i, createdTs: START_TS + i }),
    );
    await store.webhooks.enqueue(owed);
    await store.webhooks.enqueue(owed);
    assert.deepEqual(await store.webhooks.listDue(START_TS + 9, 10), [owed[2], owed[1]]);
    assert.deepEqual(await store.webhooks.listDue(START_TS + 10, 1), [owed[2]]);
    const delivered = {
      ...owed[2]!,
      status: 'delivered' as const,
      attempts: 1,
      nextAttemptTs: null,
      lastResponse: '200',
    };
    await store.webhooks.note([delivered]);
    assert.deepEqual(await store.webhooks.findDelivery('3'), delivered);
    assert.deepEqual(await store.webhooks.listDeliveries('hook-1', 2), [delivered, owed[1]]);
    assert.equal(await store.webhooks.prune(START_TS + 1_000), 1);
    assert.equal((await store.webhooks.listDeliveries('hook-1', 10)).length, 2);
  });
});
