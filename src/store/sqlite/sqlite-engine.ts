// SQLite specifics: nothing to prepare, no listeners, one writer thread.

import type { DatabaseSync } from 'node:sqlite';
import type { Kysely } from 'kysely';
import { errorMessage, StoreError } from '../../runtime/errors.ts';
import { createSchema, hasSchema, READ_VERSION } from '../create-schema.ts';
import type { Engine } from '../engine.ts';
import { readEpoch } from '../leader-epoch.ts';
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

/** In one transaction that no other process can enter. Returns whether the schema was created. */
export function prepareSqlite(database: DatabaseSync): boolean {
  database.exec('begin immediate');
  try {
    const isNew = !hasSchema(readVersion(database));
    if (isNew) database.exec(createSchema('sqlite'));
    database.exec('commit');
    return isNew;
  } catch (error) {
    if (database.isTransaction) database.exec('rollback');
    throw error;
  }
}

/** 0 for an empty file. */
export function readVersion(database: DatabaseSync): number {
  const table = database.prepare("select 1 from sqlite_schema where name = 'schema_version'").get();
  return table ? Number(database.prepare(READ_VERSION).get()?.version) : 0;
}
