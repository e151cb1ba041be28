// SQLite specifics: nothing to prepare, no listeners, one writer thread.

import type { DatabaseSync } from 'node:sqlite';
import type { Kysely } from 'kysely';
import { errorMessage, StoreError } from '../../runtime/errors.ts';
import type { Engine } from '../engine.ts';
import { readEpoch } from '../leader-epoch.ts';
import { ALL_MIGRATIONS, planMigrations, VERSION_TABLE } from '../migrations/all-migrations.ts';
import { COLUMN_TYPES, type Migration } from '../migrations/migration.ts';
import type { Database } from '../schema.ts';

export const sqliteEngine: Engine = {
  name: 'sqlite',

  insertPosts: (db, rows) =>
    db
      .insertInto('posts')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .returning(['account_id', 'post_id'])
      .execute(),

  makeRoomForQuotes: async () => {},
  holdTokenNumbers: async () => {},
  dropQuotesBefore: async () => 0,
  announceSnapshots: async () => {},
  commitWithoutWaiting: async () => {},

  holdEpoch: readEpoch,
};

/** Starts a new epoch and returns it. */
export async function raiseEpoch(db: Kysely<Database>): Promise<number> {
  const { epoch } = await db
    .updateTable('leadership')
    .set((eb) => ({ epoch: eb('epoch', '+', 1) }))
    .returning('epoch')
    .executeTakeFirstOrThrow();
  return epoch;
}

// Maps SQLite result codes to a reason and whether to retry.

const PRIMARY_CODE_MASK = 0xff;

const RETRYABLE: Readonly<Record<number, string>> = {
  5: 'the database is locked by another process',
  6: 'the database is locked',
  7: 'out of memory',
  8: 'the database is read-only',
  10: 'the disk cannot be read or written',
  13: 'the disk is full',
  14: 'the database file cannot be opened',
};

/** Failures of the engine, not of one request: the whole transaction is lost. */
export function isEngineTrouble(error: unknown): boolean {
  const code = findPrimaryCode(error);
  return code !== null && code in RETRYABLE;
}

export function toStoreError(error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  const code = findPrimaryCode(error);
  const reason = code === null ? undefined : RETRYABLE[code];
  const message = reason ? `${reason} (${errorMessage(error)})` : errorMessage(error);
  return new StoreError(`store: ${message}`, { isRetryable: reason !== undefined, cause: error });
}

function findPrimaryCode(error: unknown): number | null {
  const code = (error as { errcode?: unknown } | null)?.errcode;
  return typeof code === 'number' ? code & PRIMARY_CODE_MASK : null;
}

// Brings a SQLite file to the newest schema in one transaction that no other process can enter.

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
