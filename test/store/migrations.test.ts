import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { ALL_MIGRATIONS } from '../../src/store/migrations/all-migrations.ts';
import { COLUMN_TYPES } from '../../src/store/migrations/migration.ts';
import { planMigrations } from '../../src/store/migrations/plan-migrations.ts';
import { runSql } from '../support/postgres.ts';
import { describeFreshStore, type StorePlace } from './engines.ts';
import { HOUR_MS, START_TS, sampleKey, sampleUsage } from './samples.ts';

async function execute({ options }: StorePlace, text: string): Promise<void> {
  if (options.databaseUrl) return runSql(options.databaseUrl, text);
  const database = new DatabaseSync(join(options.dataDir, 'tallycast.sqlite'), { timeout: 5_000 });
  database.exec(text);
  database.close();
}

/** SQL that recreates the tables as they were before tokens had numbers. */
function revertArchive(engine: 'sqlite' | 'postgres'): string {
  const former = ALL_MIGRATIONS[0]!.statements(COLUMN_TYPES[engine]);
  return `drop table if exists oracle_posts; drop table if exists instance_keys; drop table book_blocks; drop table quotes; drop table quotes_latest;
    ${former.filter((text) => /^create table quotes/.test(text)).join(';')};`;
}

describeFreshStore('a migration', (test, engine) => {
  test('leaves an up-to-date store unchanged, even if many processes open it at once', async (store, place) => {
    await store.keys.insert(sampleKey());
    const others = await Promise.all(Array.from({ length: 4 }, () => place.open()));
    for (const other of others) assert.equal((await other.keys.list()).length, 1);
  });

  test('computes hourly sums for existing usage', async (store, place) => {
    const rows = [0, 1, HOUR_MS, 2 * HOUR_MS].map((ms) =>
      sampleUsage({ ts: START_TS + ms, status: ms === 1 ? 500 : 200 }),
    );
    await store.usage.append(rows);
    const before = await store.usage.totals('key-1', START_TS, START_TS + 3 * HOUR_MS);
    await execute(
      place,
      `drop table usage_hours; drop index posts_doubtful; alter table posts drop column is_doubtful;
       alter table posts drop column first_source; drop index webhooks_linking;
       ${['kind', 'label', 'link_code', 'link_expires_ts'].map((name) => `alter table webhooks drop column ${name};`).join('')}
       alter table usage drop column requests; alter table events drop column terms;
       alter table posts drop column conversation;
       alter table signals drop column edge_kind; alter table signals drop column win_probability;
       ${['rules', 'rules_revision', 'notices', 'watch_marks', 'signal_grounds', 'store_origin', 'log_entries', 'seals', 'log_head', 'seal_anchors'].map((name) => `drop table ${name};`).join('')}
       ${revertArchive(engine)}
       delete from schema_version where version >= 5`,
    );
    const upgraded = await place.open();
    assert.deepEqual(await upgraded.usage.totals('key-1', START_TS, START_TS + 3 * HOUR_MS), before);
    assert.deepEqual([before.requests, before.errors], [4, 1]);
  });

  test('assigns token numbers to existing prices, month by month', async (_store, place) => {
    const months = [Date.UTC(2026, 9, 1), Date.UTC(2026, 10, 1), Date.UTC(2026, 11, 1)];
    const partitions = ['quotes_2026_10', 'quotes_2026_11'].map(
      (name, i) =>
        `create table ${name} partition of quotes for values from (${months[i]}) to (${months[i + 1]});`,
    );
    const row = (table: string, token: string, ts: number) =>
      `insert into ${table} values ('${token}', ${ts}, 0.25, null, 3.5, null, 0.125);`;
    await execute(
      place,
      `${revertArchive(engine)} ${engine === 'postgres' ? partitions.join('') : ''}
       ${row('quotes', 'b', months[0]!)} ${row('quotes', 'b', months[1]!)} ${row('quotes', 'a', months[1]! + 1)}
       ${row('quotes_latest', 'b', months[1]! + 7)}
       delete from schema_version where version >= (select version from schema_version where name = 'archive')`,
    );
    const { quotes } = await place.open();
    const quote = (tokenId: string, observedTs: number) => ({
      ...{
        tokenId,
        observedTs,
        bid: 0.25,
        ask: null,
        bidShares: 3.5,
        askShares: null,
        lastTradePrice: 0.125,
      },
    });
    const range = { fromTs: 0, untilTs: months[2]!, limit: 9 };
    assert.deepEqual(await quotes.listRange('b', range), [quote('b', months[0]!), quote('b', months[1]!)]);
    assert.deepEqual(await quotes.listRange('a', range), [quote('a', months[1]! + 1)]);
    assert.deepEqual(await quotes.latest(['b']), [quote('b', months[1]! + 7)]);
    await quotes.record([quote('c', months[1]! + 2), { ...quote('b', months[1]! + 9), bid: 0.5 }]);
    assert.equal((await quotes.standingAt('c', months[2]!))?.observedTs, months[1]! + 2);
    assert.equal(await quotes.dropMonths(months[1]!), engine === 'postgres' ? 1 : 0);
  });

  test('rejects a store migrated by a newer build', async (_store, place) => {
    await execute(place, "insert into schema_version (version, name, applied_ts) values (99, 'future', 0)");
    await assert.rejects(place.open(), {
      name: 'StoreError',
      isRetryable: false,
      message: /schema version 99, this build knows versions up to/,
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
  it('is numbered from 1 without gaps', () => {
    assert.deepEqual(
      ALL_MIGRATIONS.map((migration) => migration.version),
      ALL_MIGRATIONS.map((_, i) => i + 1),
    );
  });

  it('is applied in order, skipping migrations already applied', () => {
    const plan = planMigrations(1, ALL_MIGRATIONS).map((migration) => migration.version);
    assert.deepEqual(
      plan,
      ALL_MIGRATIONS.slice(1).map((_, i) => i + 2),
    );
  });

  it('creates the same tables on both engines, except the heartbeat', () => {
    const tables = (engine: 'sqlite' | 'postgres') =>
      ALL_MIGRATIONS.flatMap((migration) => migration.statements(COLUMN_TYPES[engine]))
        .map((statement) => /create table (\w+)/.exec(statement)?.[1])
        .filter((name) => name !== undefined && name !== 'leader_heartbeat');
    assert.deepEqual(tables('sqlite'), tables('postgres'));
  });
});
