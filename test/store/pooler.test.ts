// The store through pgbouncer in transaction mode, where clients share sessions. Locks, LISTEN and prepared
// statements bypass the pooler or are not used.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { systemClock } from '../../src/runtime/clock.ts';
import { silentLogger } from '../../src/runtime/logger.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/ports.ts';
import { findPooler, type Pooler, startPooler } from '../support/pooler.ts';
import { createDatabase } from '../support/postgres.ts';

const program = findPooler();
const why = program === null && 'pgbouncer is not installed: apt-get install pgbouncer';

describe('PostgreSQL behind a pooler', { skip: why }, () => {
  let database: Awaited<ReturnType<typeof createDatabase>>;
  let pooler: Pooler;
  let store: Store;

  before(async () => {
    database = await createDatabase();
    pooler = await startPooler(program!, database.url);
    const urls = { databaseUrl: pooler.url, directDatabaseUrl: database.url };
    store = await openStore({ dataDir: '/nonexistent', ...urls, clock: systemClock, logger: silentLogger });
  });
  after(async () => {
    await store?.close();
    await pooler?.stop();
    await database?.drop();
  });

  it('runs the same statements on any free session', async () => {
    const names = Array.from({ length: 200 }, (_, i) => `cursor-${i}`);
    await Promise.all(names.map((name) => store.cursors.put(name, name)));
    assert.deepEqual(await Promise.all(names.map((name) => store.cursors.find(name))), names);
  });

  it('elects one leader, and announces snapshots', async () => {
    const ended = new AbortController();
    const leadership = await store.lead(ended.signal);
    const { promise: announced, resolve } = Promise.withResolvers<string>();
    const stopListening = await store.snapshots.listen(resolve);
    await store.snapshots.put('a', 1, '{}');
    assert.equal(await announced, 'a');
    await stopListening();
    await leadership.release();
    ended.abort();
  });
});
