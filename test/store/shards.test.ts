// Shards on PostgreSQL: which process leads which, and under which epoch it may write.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { waitUntil } from '../support/boot.ts';
import { runSql } from '../support/postgres.ts';
import { describeFreshStore } from './engines.ts';
import { samplePost } from './samples.ts';

const never = new AbortController().signal;

describeFreshStore('shards', (test, engine) => {
  if (engine !== 'postgres') {
    test('do not exist where one process owns the store', async (store) => {
      assert.equal(store.shards, undefined);
    });
    return;
  }

  test('have one leader each, and everyone sees which', async (store, place) => {
    const first = await store.shards!.join(never);
    const second = await (await place.open()).shards!.join(never);
    assert.deepEqual(await first.look(), { processes: 2, taken: new Set() });
    const led = await first.take(3);
    assert.equal(await second.take(3), null);
    const other = await second.take(4);
    assert.deepEqual((await first.look()).taken, new Set([3, 4]));
    const held = (await store.shards!.listLeaders()).filter(({ isHeld }) => isHeld);
    assert.deepEqual(
      held.map(({ part, epoch }) => [part, epoch]),
      [
        [3, led!.epoch],
        [4, other!.epoch],
      ],
    );
    assert.ok(held.every(({ holder }) => holder?.endsWith(`:${process.pid}`)));
    await led!.release();
    assert.ok((await second.take(3))!.epoch > led!.epoch);
    await second.leave();
    assert.deepEqual(await first.look(), { processes: 1, taken: new Set() });
    await first.leave();
  });

  test('refuse writes under an older epoch, and only those of that shard', async (store, place) => {
    const first = await store.shards!.join(never);
    const [paused, other] = [await first.take(1), await first.take(2)];
    await paused!.store.posts.recordCaptures([samplePost({ postId: '1' })]);
    await place.endConnections();
    if (!paused!.lost.aborted) await once(paused!.lost, 'abort');
    const second = await (await place.open()).shards!.join(never);
    const next = await second.take(1);
    assert.ok(next!.epoch > paused!.epoch);
    await assert.rejects(
      paused!.store.posts.recordCaptures([samplePost({ postId: '2' })]),
      /no longer the leader of shard 1/,
    );
    // Its epoch has not been replaced, so nothing that another process counts can differ.
    await other!.store.cursors.put('posts:b', '1');
    await next!.store.posts.recordCaptures([samplePost({ postId: '3' })]);
    assert.equal(await next!.store.readEpoch(), next!.epoch);
    assert.deepEqual((await store.posts.listRecent('a', 9, 0)).map(({ postId }) => postId).sort(), [
      '1',
      '3',
    ]);
    await second.leave();
  });

  test('write what many accounts observe together, without the shard that was lost', async (store, place) => {
    const first = await store.shards!.join(never);
    const led = [(await first.take(1))!, (await first.take(2))!, (await first.take(3))!];
    await runSql(place.options.databaseUrl!, 'update leadership set epoch = epoch + 1 where id = 3');
    const observe = (eventId: number) => ({ eventId, feed: 'oracle' as const, count: 7, observedTs: 1 });
    const written = await Promise.allSettled([
      ...led.map(({ store: own }, i) => own.counts.record([observe(i)])),
      led[0]!.store.counts.record([observe(8), observe(9)]),
    ]);
    assert.deepEqual(
      written.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled', 'fulfilled'],
    );
    assert.deepEqual(
      led.map(({ lost }) => lost.aborted),
      [false, true, false],
    );
    const stored = await store.counts.latest([0, 1, 2, 8, 9]);
    assert.deepEqual(
      stored.map(({ eventId }) => eventId),
      [0, 2, 8, 9],
    );
    await first.leave();
  });

  test('end a leadership that a restore or a write refusal made invalid', async (store, place) => {
    const first = await store.shards!.join(never);
    const led = await first.take(1);
    await runSql(place.options.databaseUrl!, 'update leadership set epoch = epoch + 1');
    await assert.rejects(led!.store.cursors.put('posts:a', '1'), /no longer the leader/);
    assert.equal(led!.lost.aborted, true);
    assert.equal(first.lost.aborted, false);
    await led!.release();
    assert.ok((await first.take(1))!.epoch > led!.epoch + 1);
    await first.leave();
  });

  test('give out no epoch twice after a failover that lost the last election', async (store, place) => {
    const first = await store.shards!.join(never);
    const led = await first.take(1);
    await first.leave();
    await runSql(place.options.databaseUrl!, 'update leadership set epoch = 0 where id = 2');
    const second = await (await place.open()).shards!.join(never);
    assert.ok((await second.take(1))!.epoch > led!.epoch);
    await second.leave();
  });

  test('pass on from a process that no longer beats', async (store, place) => {
    const stuck = await store.shards!.join(never);
    await stuck.take(1);
    const second = await (await place.open()).shards!.join(never);
    await runSql(
      place.options.databaseUrl!,
      `update ingest_heartbeats set beaten_at = '-infinity' where pid in
         (select pid from pg_locks where locktype = 'advisory' and objsubid = 2 and objid = 1)`,
    );
    await second.look();
    await waitUntil(() => stuck.lost.aborted);
    await waitUntil(async () => (await second.take(1)) !== null);
    await second.leave();
  });
});
