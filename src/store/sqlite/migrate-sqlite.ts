// Brings a SQLite file to the newest schema in one transaction that no other process can enter.

import type { DatabaseSync } from 'node:sqlite';
import { ALL_MIGRATIONS, planMigrations, VERSION_TABLE } from '../migrations/all-migrations.ts';
import type { Migration } from '../migrations/migration.ts';
import { COLUMN_TYPES } from '../migrations/migration.ts';

export function migrateSqlite(
  database: DatabaseSync,
  nowTs: number,
  migrations: readonly Migration[] = ALL_MIGRATIONS,
): Migration[] {
  database.exec('begin immediate');
  try {
    const pending = planMigrations(readVersion(database), migrations);
    for (const migration of pending) apply(database, migration, nowTs);
    database.exec('commit');
    return pending;
  } catch (error) {
    if (database.isTransaction) database.exec('rollback');
    throw error;
  }
}

function readVersion(database: DatabaseSync): number {
  database.exec(VERSION_TABLE);
  const row = database.prepare('select max(version) as version from schema_version').get();
  return Number(row?.version ?? 0);
}

function apply(database: DatabaseSync, migration: Migration, nowTs: number): void {
  for (const statement of migration.statements(COLUMN_TYPES.sqlite)) database.exec(statement);
  database
    .prepare('insert into schema_version (version, name, applied_ts) values (?, ?, ?)')
    .run(migration.version, migration.name, nowTs);
}
