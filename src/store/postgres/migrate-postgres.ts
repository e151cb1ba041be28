// Brings a PostgreSQL database to the newest schema in one transaction; a lock admits one replica at a time.

import type pg from 'pg';
import { ALL_MIGRATIONS, planMigrations, VERSION_TABLE } from '../migrations/all-migrations.ts';
import type { Migration } from '../migrations/migration.ts';
import { COLUMN_TYPES } from '../migrations/migration.ts';

const MIGRATION_LOCK = 7_203_001;

export async function migratePostgres(client: pg.Client, nowTs: number): Promise<Migration[]> {
  await client.query('begin');
  try {
    await client.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    const pending = planMigrations(await readVersion(client), ALL_MIGRATIONS);
    for (const migration of pending) await apply(client, migration, nowTs);
    await client.query('commit');
    return pending;
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
}

async function readVersion(client: pg.Client): Promise<number> {
  const table = await client.query<{ found: boolean }>(
    "select to_regclass('schema_version') is not null as found",
  );
  if (!table.rows[0]!.found) await client.query(VERSION_TABLE);
  const result = await client.query<{ version: number | null }>(
    'select max(version) as version from schema_version',
  );
  return result.rows[0]!.version ?? 0;
}

async function apply(client: pg.Client, migration: Migration, nowTs: number): Promise<void> {
  for (const statement of migration.statements(COLUMN_TYPES.postgres)) await client.query(statement);
  await client.query('insert into schema_version (version, name, applied_ts) values ($1, $2, $3)', [
    migration.version,
    migration.name,
    nowTs,
  ]);
}
