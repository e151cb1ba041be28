// Rules, alerts and the evaluation marker, on every engine.

import assert from 'node:assert/strict';
import { describeStore } from './engines.ts';
import { START_TS, sampleAlert, sampleDelivery, sampleKey, sampleRule, sampleWebhook } from './samples.ts';

describeStore('alert rules', (test) => {
  test('are stored unchanged, up to a limit per key', async (store) => {
    await store.keys.insert(sampleKey());
    assert.equal(await store.rules.insert(sampleRule(), 2), true);
    const plain = sampleRule({
      ruleId: 'rule-2',
      quiet: null,
      accountId: null,
      eventId: null,
      threshold: null,
    });
    assert.equal(await store.rules.insert(plain, 2), true);
    assert.equal(await store.rules.insert(sampleRule({ ruleId: 'rule-3' }), 2), false);
    assert.deepEqual(await store.rules.listForKey('key-1'), [sampleRule(), plain]);
    const edited = sampleRule({ mostPerHour: 3, channelIds: ['hook-9'], threshold: 0.09 });
    assert.equal(
      await store.rules.replace({ ...edited, keyId: 'key-2' }),
      false,
      'another key cannot change the rule',
    );
    assert.equal(await store.rules.replace(edited), true);
    assert.deepEqual(await store.rules.listForKey('key-1'), [edited, plain]);
    assert.equal(await store.rules.remove('key-2', 'rule-1'), false);
    assert.equal(await store.rules.remove('key-1', 'rule-1'), true);
    assert.deepEqual(await store.rules.listForKey('key-1'), [plain]);
  });

  test('no longer list a removed channel', async (store) => {
    await store.webhooks.insert(sampleWebhook());
    await store.rules.insert(sampleRule({ channelIds: ['hook-1', 'hook-2'] }));
    const revision = await store.rules.readRevision();
    await store.webhooks.remove('key-1', 'hook-1');
    assert.deepEqual((await store.rules.listForKey('key-1'))[0]!.channelIds, ['hook-2']);
    assert.ok((await store.rules.readRevision()) > revision);
  });
});

describeStore('alerts', (test) => {
  test('are paged newest first, and deleted by age', async (store) => {
    const alerts = [1, 2, 3, 3].map((age, i) =>
      sampleAlert({ alertId: `ntc_${i}`, createdTs: START_TS - age }),
    );
    for (const alert of alerts) await store.alerts.add(alert, []);
    const first = await store.alerts.listPage('key-1', { after: null, limit: 3 });
    assert.deepEqual(
      first.map(({ alertId }) => alertId),
      ['ntc_0', 'ntc_1', 'ntc_3'],
    );
    const after = { createdTs: first[2]!.createdTs, alertId: first[2]!.alertId };
    assert.deepEqual(await store.alerts.listPage('key-1', { after, limit: 3 }), [alerts[2]]);
    assert.deepEqual(await store.alerts.listPage('key-2', { after: null, limit: 3 }), []);
    assert.equal(await store.alerts.prune(START_TS - 2), 2);
    assert.equal((await store.alerts.listDue(START_TS - 1)).length, 2);
  });

  test('are limited per key and kind, even if created concurrently', async (store, place) => {
    await store.keys.insert(sampleKey());
    const other = await place.open();
    const most = { count: 3, sinceTs: START_TS - 10 };
    const add = (i: number, fields: object = {}) =>
      (i % 2 ? store : other).alerts.add(
        sampleAlert({ alertId: `ntc_${i}`, kind: 'test', createdTs: START_TS, ...fields }),
        [],
        most,
      );
    await add(90, { createdTs: START_TS - 10 });
    await add(91, { kind: 'advice' });
    const taken = await Promise.all(Array.from({ length: 8 }, (_, i) => add(i)));
    assert.equal(taken.filter(Boolean).length, 3);
    assert.equal((await store.alerts.listPage('key-1', { after: null, limit: 20 })).length, 5);
  });

  test('are queued together with the evaluation marker, and repeating an alert changes nothing', async (store) => {
    const owed = () => store.webhooks.listDue(START_TS, 10);
    await store.watch.advance('a', 'first', [sampleAlert()], [sampleDelivery()]);
    const [delivery] = await owed();
    await store.webhooks.note([{ ...delivery!, status: 'delivered', nextAttemptTs: null }]);
    await store.watch.advance('a', 'second', [sampleAlert({ title: 'other' })], [sampleDelivery()]);
    assert.deepEqual(await owed(), []);
    assert.equal(await store.watch.findMark('a'), 'second');
    assert.equal(await store.watch.findMark('b'), undefined);
    assert.deepEqual(await store.alerts.listPage('key-1', { after: null, limit: 9 }), [sampleAlert()]);
  });
});

describeStore('a channel waiting to be linked', (test) => {
  test('is linked to the first caller who sends its code in time', async (store) => {
    const link = { code: 'ABC234', expiresTs: START_TS + 10 };
    const channel = sampleWebhook({ kind: 'telegram', url: '', link });
    await store.webhooks.insert(channel);
    assert.equal(await store.webhooks.completeLink('ABC234', '77', START_TS + 10), undefined);
    assert.equal(await store.webhooks.completeLink('WRONG2', '77', START_TS), undefined);
    const linked = await store.webhooks.completeLink('ABC234', '77', START_TS);
    assert.deepEqual(linked, { ...channel, url: '77', link: null });
    assert.equal(await store.webhooks.completeLink('ABC234', '88', START_TS), undefined);
    assert.equal((await store.webhooks.listForKey('key-1'))[0]!.url, '77');
  });
});
