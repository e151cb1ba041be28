// Copies a SQLite store, or a backup of one, into an empty PostgreSQL database, in one transaction.

import { existsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import type pg from 'pg';
import { StoreError, UsageError } from '../runtime/errors.ts';
import { hasSchema, TABLE_NAMES } from './create-schema.ts';
import { createPgClient } from './postgres/pg-pool.ts';
import { preparePostgres } from './postgres/postgres-engine.ts';
import { ensureQuoteMonths } from './postgres/quote-months.ts';
import { batchesOf } from './queries/many-rows.ts';
import { openReadOnly } from './sqlite/connection.ts';
import { readVersion } from './sqlite/sqlite-engine.ts';

export interface CopiedTable {
  table: string;
  rows: number;
}

/** Rows that every new database has. */
const OWN_TABLES = ['schema_version', 'leadership', 'health_probe', 'waitlist_counter'];
const BATCH_ROWS = 2_000;

type Row = Record<string, number | string | Uint8Array | null>;

/** Either every row arrives, or nothing changes. */
export async function transfer(
  file: string,
  databaseUrl: string,
  onTable: (copied: CopiedTable) => void,
): Promise<void> {
  if (!existsSync(file)) throw new UsageError(`there is no file ${file}`);
  const source = openReadOnly(file);
  const target = createPgClient(databaseUrl, 0);
  try {
    if (!hasSchema(readVersion(source))) throw new UsageError(`${file} is not a store`);
    await target.connect();
    await preparePostgres(target);
    await target.query('begin');
    source.exec('begin');
    await assertEmpty(target);
    for (const table of TABLE_NAMES) {
      if (table === 'waitlist_counter') await target.query('delete from waitlist_counter');
      else if (OWN_TABLES.includes(table)) continue;
      onTable({ table, rows: await copyTable(source, target, table) });
    }
    await target.query('commit');
  } finally {
    source.close();
    await target.end();
  }
}

async function assertEmpty(target: pg.Client): Promise<void> {
  for (const table of TABLE_NAMES) {
    if (OWN_TABLES.includes(table)) continue;
    const { rows } = await target.query(`select 1 from ${table} limit 1`);
    if (rows.length > 0) throw new UsageError(`the database already has ${table}; choose an empty one`);
  }
}

async function copyTable(source: DatabaseSync, target: pg.Client, table: string): Promise<number> {
  let rows = 0;
  for (const batch of readBatches(source, table)) {
    if (table === 'quotes')
      await ensureQuoteMonths(
        target,
        batch.map(({ observed_ts }) => observed_ts as number),
      );
    for (const part of batchesOf(batch, Object.keys(batch[0]!).length)) await insert(target, table, part);
    rows += batch.length;
  }
  const { rows: counted } = await target.query<{ count: number }>(`select count(*) as count from ${table}`);
  if (counted[0]!.count === rows) return rows;
  const problem = `${rows} rows of ${table} were read, ${counted[0]!.count} arrived; nothing was changed`;
  throw new StoreError(problem, { isRetryable: false });
}

function* readBatches(source: DatabaseSync, table: string): Generator<Row[]> {
  let batch: Row[] = [];
  for (const row of source.prepare(`select * from ${table}`).iterate() as Iterable<Row>) {
    batch.push(row);
    if (batch.length < BATCH_ROWS) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

async function insert(target: pg.Client, table: string, rows: readonly Row[]): Promise<void> {
  const columns = Object.keys(rows[0]!);
  let parameter = 0;
  const marks = rows.map(() => `(${columns.map(() => `$${++parameter}`).join(', ')})`);
  const values = rows.flatMap((row) => columns.map((column) => row[column]!));
  const cells = values.map((cell) => (cell instanceof Uint8Array ? Buffer.from(cell) : cell));
  await target.query(`insert into ${table} (${columns.join(', ')}) values ${marks.join(', ')}`, cells);
}
