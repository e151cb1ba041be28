import assert from 'node:assert/strict';
import { describeStore } from './engines.ts';
import { START_TS, sampleDelivery, sampleKey, samplePayment, sampleWebhook } from './samples.ts';

describeStore('payments', (test) => {
  test('store an authorisation for only one of many concurrent calls', async (store, place) => {
    const other = await place.open();
    const taken = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        (i % 2 ? store : other).payments.insert(
          samplePayment({ paymentId: `p${i}`, payer: i % 3 ? '0xpayer' : '0xPAYER' }),
          'response',
        ),
      ),
    );
    assert.equal(taken.filter(Boolean).length, 1);
    assert.equal(await store.payments.insert(samplePayment({ paymentId: 'q', nonce: '0x02' }), ''), true);
  });

  test('change state only from the given state', async (store) => {
    await store.payments.insert(samplePayment(), '');
    const settle = (from: 'settling' | 'failed', transaction: string) =>
      store.payments.transition('pay-1', [from], 'settled', {
        ...{ transaction, reason: null, updatedTs: START_TS + 1 },
      });
    assert.equal(await settle('failed', '0xno'), false);
    assert.deepEqual((await Promise.all([settle('settling', '0x1'), settle('settling', '0x1')])).sort(), [
      false,
      true,
    ]);
    const found = await store.payments.find('pay-1');
    assert.deepEqual([found?.state, found?.transaction, found?.updatedTs], ['settled', '0x1', START_TS + 1]);
    assert.equal(await store.payments.find('nothing'), undefined);
  });

  test('keep their response until it is pruned, and while they are open', async (store) => {
    await store.payments.insert(samplePayment(), 'open');
    await store.payments.insert(samplePayment({ paymentId: 'p2', nonce: '2', state: 'settled' }), 'paid');
    assert.equal(await store.payments.prune(START_TS), 0);
    assert.equal(await store.payments.prune(START_TS + 1), 1);
    assert.equal(await store.payments.prune(START_TS + 1), 0);
    assert.equal(await store.payments.findResponse('pay-1'), 'open');
    assert.equal(await store.payments.findResponse('p2'), null);
    assert.equal((await store.payments.find('p2'))?.state, 'settled');
  });

  test('are listed newest first, can be filtered by state, and have exact sums of any size', async (store) => {
    const huge = 2n ** 255n;
    const payments = [
      samplePayment({ paymentId: 'p1', nonce: '1', amount: huge.toString() }),
      samplePayment({ paymentId: 'p2', nonce: '2', amount: huge.toString(), createdTs: START_TS + 1 }),
      samplePayment({ paymentId: 'p3', nonce: '3', state: 'settled', updatedTs: START_TS + 9 }),
    ];
    for (const payment of payments) await store.payments.insert(payment, '');
    assert.deepEqual(await store.payments.list({ limit: 2, offset: 0 }), [payments[1], payments[2]]);
    assert.deepEqual(await store.payments.list({ limit: 2, offset: 2 }), [payments[0]]);
    assert.deepEqual(await store.payments.listByState(['settled', 'failed']), [payments[2]]);
    assert.deepEqual(await store.payments.totals(), [
      { state: 'settled', count: 1, amount: '10000' },
      { state: 'settling', count: 2, amount: (huge * 2n).toString() },
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
