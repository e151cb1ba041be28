import assert from 'node:assert/strict';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { runSql } from '../support/postgres.ts';
import { describeFreshStore, describeStore } from './engines.ts';
import { sampleAlert, sampleDelivery, sampleKey, samplePost } from './samples.ts';

const never = new AbortController().signal;

describeStore('cursors', (test) => {
  test("store each feed's last position", async (store) => {
    assert.equal(await store.cursors.find('posts:a'), undefined);
    await store.cursors.put('posts:a', '1');
    await store.cursors.put('posts:a', '2');
    assert.equal(await store.cursors.find('posts:a'), '2');
  });
});

describeFreshStore('snapshots', (test, engine) => {
  test('are stored per name in their newest version', async (store) => {
    await store.snapshots.put('a', 2, '{"v":2}');
    await store.snapshots.put('a', 1, '{"v":1}');
    await store.snapshots.put('crypto', 7, '{}');
    assert.deepEqual({ ...(await store.snapshots.find('a')) }, { version: 2, body: '{"v":2}' });
    assert.equal(await store.snapshots.find('b'), undefined);
    const versions = await store.snapshots.versions();
    assert.deepEqual(
      versions.map(({ name, version }) => [name, version]),
      [
        ['a', 2],
        ['crypto', 7],
      ],
    );
  });

  test('notify subscribers once they can be read, until they unsubscribe', async (store, place) => {
    const teller = engine === 'postgres' ? await place.open() : store;
    const heard = Promise.withResolvers<[string, number]>();
    let count = 0;
    const leave = await store.snapshots.listen((name, version) => {
      count += 1;
      heard.resolve([name, version]);
    });
    for (const payload of engine === 'postgres' ? ['not JSON', 'null', '{}'] : [])
      await runSql(place.options.databaseUrl!, `notify tallycast_snapshots, '${payload}'`);
    await teller.snapshots.put('a', 1, '{}');
    assert.deepEqual(await heard.promise, ['a', 1]);
    assert.equal((await store.snapshots.find('a'))?.version, 1);
    await leave();
    await teller.snapshots.put('a', 2, '{}');
    await store.snapshots.versions();
    assert.equal(count, 1);
  });
});

describeFreshStore('leadership', (test, engine) => {
  test('raises the epoch with every leader, and rejects writes by an older leader', async (store, place) => {
    const first = await store.lead(never);
    await store.posts.recordCaptures([samplePost({ postId: '1' })]);
    await first.release();
    const other = await place.open();
    const second = await other.lead(never);
    assert.ok(second.epoch > first.epoch);
    const refusal = { name: 'StoreError', isRetryable: false, message: /no longer the leader/ };
    await assert.rejects(store.posts.recordCaptures([samplePost({ postId: '2' })]), refusal);
    await assert.rejects(store.cursors.put('posts:a', '2'), refusal);
    await assert.rejects(store.snapshots.put('a', 5, '{}'), refusal);
    await assert.rejects(store.watch.advance('a', 'stale', [sampleAlert()], [sampleDelivery()]), refusal);
    assert.equal(first.lost.aborted, true);
    await other.posts.recordCaptures([samplePost({ postId: '3' })]);
    await store.keys.insert(sampleKey());
    assert.deepEqual((await store.posts.listRecent('a', 9, 0)).map((post) => post.postId).sort(), ['1', '3']);
    await second.release();
    const third = await store.lead(never);
    await store.posts.recordCaptures([samplePost({ postId: '4' })]);
    await third.release();
  });

  if (engine !== 'postgres') return;

  test('makes a second candidate wait for the first, and lets it stop waiting', async (store, place) => {
    const other = await place.open();
    const first = await store.lead(never);
    const impatient = new AbortController();
    const waiting = other.lead(impatient.signal);
    await wait(300);
    impatient.abort(new Error('stopped'));
    await assert.rejects(waiting);
    const patient = other.lead(never);
    await first.release();
    assert.ok((await patient).epoch > first.epoch);
    assert.equal(first.lost.aborted, false);
  });

  test('gives out no epoch twice after a failover that lost the last election', async (store, place) => {
    const before = await store.readEpoch();
    const first = await store.lead(never);
    await first.release();
    await runSql(place.options.databaseUrl!, `update leadership set epoch = ${before}`);
    const next = await (await place.open()).lead(never);
    await assert.rejects(store.cursors.put('posts:a', '1'), /no longer the leader/);
    await next.release();
  });

  test('is not given to a store that closes during the election', async (store, place) => {
    const first = await store.lead(never);
    const closed = await place.open();
    const refused = assert.rejects(closed.lead(never));
    await closed.close();
    await refused;
    await first.release();
  });

  test('passes to the next candidate when the leader loses its connection', async (store, place) => {
    const other = await place.open();
    const first = await store.lead(never);
    const next = other.lead(never);
    await place.endConnections();
    if (!first.lost.aborted) await once(first.lost, 'abort');
    assert.ok((await next).epoch > first.epoch);
    await assert.rejects(store.cursors.put('posts:a', '1'), /no longer the leader/);
  });
});
