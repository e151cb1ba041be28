import assert from 'node:assert/strict';
import { createRandom } from '../../src/runtime/random.ts';
import { describeStore } from './engines.ts';
import { HOUR_MS, START_TS, sampleEntry, sampleKey, sampleUsage } from './samples.ts';

describeStore('API keys', (test) => {
  test('are found by digest and by id', async (store) => {
    const key = sampleKey({ expiresTs: START_TS + 1 });
    await store.keys.insert(key);
    assert.deepEqual(await store.keys.findByDigest('d1'), key);
    assert.deepEqual(await store.keys.findById('key-1'), key);
    assert.equal(await store.keys.findByDigest('D1'), undefined);
    await store.keys.insert(sampleKey({ keyId: 'key-2', digest: 'd2' }));
    const some = await store.keys.listByDigests(['d2', 'unknown', 'd1', 'D1', 'other']);
    assert.deepEqual(some.map(({ keyId }) => keyId).sort(), ['key-1', 'key-2']);
    assert.deepEqual(await store.keys.listByDigests([]), []);
    assert.equal((await store.keys.list()).length, 2);
  });

  test('cannot share a digest, and the store keeps working after a failed attempt', async (store) => {
    await store.keys.insert(sampleKey());
    await assert.rejects(store.keys.insert(sampleKey({ keyId: 'key-2' })), {
      name: 'StoreError',
      isRetryable: false,
    });
    await store.keys.insert(sampleKey({ keyId: 'key-3', digest: 'd3' }));
    assert.equal((await store.keys.list()).length, 2);
    assert.deepEqual(await store.health(), { isWritable: true, problem: null });
  });

  test('are revoked only once, and revocation returns the digests to drop', async (store) => {
    await store.keys.insert(sampleKey());
    assert.equal(await store.keys.revoke('key-1', START_TS + 5), true);
    assert.equal(await store.keys.revoke('key-1', START_TS + 6), false);
    assert.equal(await store.keys.revoke('unknown', START_TS), false);
    assert.equal((await store.keys.findById('key-1'))?.revokedTs, START_TS + 5);
    assert.deepEqual(await store.keys.listRevokedDigests(), ['d1']);
    assert.equal(await store.keys.countRevocations(), 1);
  });

  test('are found even if another process has just written them', async (store, place) => {
    const other = await place.open();
    assert.equal(await store.keys.findByDigest('d1'), undefined);
    await other.keys.insert(sampleKey());
    assert.equal((await store.keys.findByDigest('d1'))?.keyId, 'key-1');
    await Promise.all([
      ...Array.from({ length: 20 }, (_, i) =>
        store.keys.insert(sampleKey({ keyId: `s${i}`, digest: `s${i}` })),
      ),
      ...Array.from({ length: 20 }, (_, i) =>
        other.keys.insert(sampleKey({ keyId: `o${i}`, digest: `o${i}` })),
      ),
    ]);
    assert.equal((await store.keys.list()).length, 41);
  });
});

describeStore('the waitlist', (test) => {
  test('numbers 100 concurrent registrations from 1 to 100', async (store, place) => {
    const other = await place.open();
    const registered = await Promise.all(
      Array.from({ length: 100 }, (_, i) =>
        (i % 2 ? store : other).waitlist.register(sampleEntry({ email: `person${i}@example.test` })),
      ),
    );
    const positions = registered.map(({ position }) => position).sort((left, right) => left - right);
    assert.deepEqual(
      positions,
      Array.from({ length: 100 }, (_, i) => i + 1),
    );
  });

  test('returns the same position for a repeated identity, in any letter case, without leaving a gap', async (store) => {
    const agent = (wallet: string) => sampleEntry({ type: 'agent', wallet, email: null });
    const racing = await Promise.all(
      Array.from({ length: 20 }, (_, i) => store.waitlist.register(agent(i % 2 ? '0xabc' : '0xABC'))),
    );
    assert.deepEqual([...new Set(racing.map(({ position }) => position))], [1]);
    assert.equal(racing.filter(({ isNew }) => isNew).length, 1);
    assert.deepEqual(await store.waitlist.register(sampleEntry()), { position: 2, isNew: true });
    assert.deepEqual(await store.waitlist.register(agent('0xaBc')), { position: 1, isNew: false });
  });
});

describeStore('usage', (test) => {
  test('includes rows that cover several requests', async (store) => {
    await store.usage.append([
      sampleUsage({ requests: 40, responseMs: 60, bytes: 4_000 }),
      sampleUsage({ ts: START_TS + 1, status: 500 }),
    ]);
    const sums = { requests: 41, errors: 1, responseMsTotal: 61.5, bytes: 5_000 };
    assert.deepEqual(await store.usage.totals('key-1', START_TS, START_TS + 1_000), sums);
    assert.deepEqual(await store.usage.totals('key-1', START_TS - HOUR_MS, START_TS + 2 * HOUR_MS), sums);
  });

  test('is grouped by endpoint and method, busiest first', async (store) => {
    await store.usage.append([
      sampleUsage({ endpoint: '/b' }),
      sampleUsage({ endpoint: '/a' }),
      sampleUsage({ endpoint: '/a', method: 'POST', status: 500, bytes: 7 }),
      sampleUsage({ endpoint: '/b' }),
    ]);
    const found = await store.usage.byEndpoint('key-1', START_TS, START_TS + 1);
    assert.deepEqual(found, [
      { endpoint: '/b', method: 'GET', requests: 2, errors: 0, responseMsTotal: 3, bytes: 2_000 },
      { endpoint: '/a', method: 'GET', requests: 1, errors: 0, responseMsTotal: 1.5, bytes: 1_000 },
      { endpoint: '/a', method: 'POST', requests: 1, errors: 1, responseMsTotal: 1.5, bytes: 7 },
    ]);
  });

  test('adds up exactly over any period, including partial hours', async (store) => {
    const random = createRandom(5);
    const upTo = (count: number) => Math.floor(random.uniform() * count);
    const rows = Array.from({ length: 800 }, () =>
      sampleUsage({
        ...{ ts: START_TS + upTo(6 * HOUR_MS), keyId: `key-${upTo(2)}`, endpoint: `/${upTo(3)}` },
        ...{ status: upTo(4) === 0 ? 404 : 200, bytes: upTo(1_000), responseMs: upTo(40) / 4 },
      }),
    );
    for (let at = 0; at < rows.length; at += 100) await store.usage.append(rows.slice(at, at + 100));
    for (let round = 0; round < 60; round++) {
      // Sometimes exactly on the hour.
      const [left, right] = [upTo(7 * HOUR_MS), upTo(7 * HOUR_MS)].map((ms) =>
        round % 3 === 0 ? ms - (ms % HOUR_MS) : ms,
      );
      const [fromTs, untilTs] = [START_TS + Math.min(left!, right!), START_TS + Math.max(left!, right!)];
      const inside = rows.filter(({ keyId, ts }) => keyId === 'key-1' && ts >= fromTs && ts < untilTs);
      assert.deepEqual(await store.usage.totals('key-1', fromTs, untilTs), {
        requests: inside.length,
        errors: inside.filter(({ status }) => status >= 400).length,
        responseMsTotal: inside.reduce((sum, { responseMs }) => sum + responseMs, 0),
        bytes: inside.reduce((sum, { bytes }) => sum + bytes, 0),
      });
    }
  });

  test('is pruned together with its hourly sums', async (store) => {
    const hours = [0, 1, 2].map((hour) => sampleUsage({ ts: START_TS + hour * HOUR_MS }));
    await store.usage.append(hours);
    await store.usage.prune(START_TS + 2 * HOUR_MS);
    assert.equal((await store.usage.totals('key-1', 0, START_TS * 2)).requests, 1);
  });

  test('lists the newest errors, and can be pruned', async (store) => {
    const errors = [1, 2, 3].map((i) =>
      sampleUsage({ ts: START_TS + i, status: 400 + i, message: `problem ${i}` }),
    );
    await store.usage.append([...errors, sampleUsage({ ts: START_TS + 4 })]);
    assert.deepEqual(await store.usage.recentErrors('key-1', 2), [errors[2], errors[1]]);
    assert.equal(await store.usage.prune(START_TS + 3), 2);
    assert.deepEqual(await store.usage.recentErrors('key-1', 9), [errors[2]]);
  });
});
