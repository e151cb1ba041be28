import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { ALL_MIGRATIONS, planMigrations } from '../../src/store/migrations/all-migrations.ts';
import { COLUMN_TYPES } from '../../src/store/migrations/migration.ts';
import { runSql } from '../support/postgres.ts';
import { describeFreshStore, type StorePlace } from './engines.ts';
import { sampleKey } from './samples.ts';

async function execute({ options }: StorePlace, text: string): Promise<void> {
  if (options.databaseUrl) return runSql(options.databaseUrl, text);
  const database = new DatabaseSync(join(options.dataDir, 'tallycast.sqlite'), { timeout: 5_000 });
  database.exec(text);
  database.close();
}

describeFreshStore('a migration', (test) => {
  test('leaves an up-to-date store unchanged, even if many processes open it at once', async (store, place) => {
    await store.keys.insert(sampleKey());
    const others = await Promise.all(Array.from({ length: 4 }, () => place.open()));
    for (const other of others) assert.equal((await other.keys.list()).length, 1);
  });

  test('rejects a store migrated by a newer build', async (_store, place) => {
    await execute(place, "insert into schema_version (version, name, applied_ts) values (99, 'future', 0)");
    await assert.rejects(place.open(), {
      name: 'StoreError',
      isRetryable: false,
      message: /schema version 99, this build knows versions up to/,
    });
  });

  test('rejects a store of a release before 1.5.0 and names the release to start first', async (_store, place) => {
    await execute(
      place,
      'delete from schema_version where version > 15; update schema_version set version = 14',
    );
    await assert.rejects(place.open(), {
      name: 'StoreError',
      isRetryable: false,
      message: /schema version 14, .* start release 1\.5\.0 once/,
    });
  });
});

describeFreshStore('a first start', (test, engine) => {
  test('by several processes at once creates one schema', async (_store, place) => {
    const wipe =
      engine === 'postgres'
        ? 'drop schema public cascade; create schema public'
        : 'drop table schema_version';
    // SQLite starts in a new folder, PostgreSQL in an emptied database.
    if (engine === 'sqlite') place.options.dataDir = join(place.options.dataDir, 'fresh');
    else await execute(place, wipe);
    const stores = await Promise.all(Array.from({ length: 4 }, () => place.open()));
    await Promise.all(
      stores.map((store, i) => store.keys.insert(sampleKey({ keyId: `k${i}`, digest: `d${i}` }))),
    );
    assert.equal((await stores[0]!.keys.list()).length, 4);
  });
});

describe('the migration list', () => {
  it('is in the order of its numbers', () => {
    const versions = ALL_MIGRATIONS.map((migration) => migration.version);
    assert.deepEqual(
      versions,
      [...new Set(versions)].sort((left, right) => left - right),
    );
    assert.deepEqual(planMigrations(15, ALL_MIGRATIONS), ALL_MIGRATIONS.slice(1));
  });

  it('creates the same tables on both engines, except the heartbeat', () => {
    const tables = (engine: 'sqlite' | 'postgres') =>
      ALL_MIGRATIONS.flatMap((migration) => migration.statements(COLUMN_TYPES[engine]))
        .map((statement) => /create table (?:if not exists )?"?(\w+)/.exec(statement)?.[1])
        .filter((name) => name !== undefined && !name.includes('heartbeat'));
    assert.deepEqual(tables('sqlite'), tables('postgres'));
  });
});
