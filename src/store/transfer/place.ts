// The location of a store, and how to open it for copying.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../../runtime/errors.ts';
import { SQLITE_FILE_NAME } from '../open-store.ts';
import { createPgClient } from '../postgres/pg-pool.ts';
import { migratePostgres } from '../postgres/postgres-engine.ts';
import { openPostgresReader, openPostgresWriter } from '../postgres/postgres-tables.ts';
import { openWritable } from '../sqlite/connection.ts';
import { migrateSqlite } from '../sqlite/sqlite-engine.ts';
import { openSqliteReader, openSqliteWriter } from '../sqlite/sqlite-tables.ts';
import type { TableReader, TableWriter } from '../table-copy.ts';

export type StorePlace = { engine: 'sqlite'; path: string } | { engine: 'postgres'; url: string };

export function toPlace(databaseUrl: string | null | undefined, dataDir: string): StorePlace {
  if (databaseUrl) return { engine: 'postgres', url: databaseUrl };
  return { engine: 'sqlite', path: join(dataDir, SQLITE_FILE_NAME) };
}

/** Migrates the location's schema, creating it if needed. */
export async function migratePlace(place: StorePlace, nowTs: number): Promise<void> {
  if (place.engine === 'sqlite') {
    const database = openWritable(place.path);
    try {
      migrateSqlite(database, nowTs);
    } finally {
      database.close();
    }
    return;
  }
  const client = createPgClient(place.url, 0);
  await client.connect();
  try {
    await migratePostgres(client, nowTs);
  } finally {
    await client.end();
  }
}

export async function openReader(place: StorePlace): Promise<TableReader> {
  if (place.engine === 'postgres') return openPostgresReader(place.url);
  if (!existsSync(place.path)) throw new UsageError(`there is no store at ${place.path}`);
  return openSqliteReader(place.path);
}

export async function openWriter(place: StorePlace): Promise<TableWriter> {
  return place.engine === 'postgres' ? openPostgresWriter(place.url) : openSqliteWriter(place.path);
}

/** Describes the location without its password. */
export function describePlace(place: StorePlace): string {
  if (place.engine === 'sqlite') return place.path;
  const url = new URL(place.url);
  return `postgres://${url.host}${url.pathname}`;
}
