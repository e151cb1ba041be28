// A PostgreSQL database as a copy's source or target.

import type pg from 'pg';
import { batchesOf } from '../queries/many-rows.ts';
import type { Row, TableReader, TableWriter } from '../table-copy.ts';
import { RAISE_EPOCH } from './leader-lock.ts';
import { createPgClient } from './pg-pool.ts';
import { ensureQuoteMonths } from './quote-months.ts';

const BATCH_ROWS = 2_000;

export async function openPostgresReader(databaseUrl: string): Promise<TableReader> {
  const client = await connect(databaseUrl);
  await client.query('begin isolation level repeatable read read only');
  return createReader(client);
}

export async function openPostgresWriter(databaseUrl: string): Promise<TableWriter> {
  const client = await connect(databaseUrl);
  await client.query('begin');
  return {
    ...createReader(client),
    // Uses delete because truncate would block readers of a running service.
    async clear(table) {
      await client.query(`delete from ${table}`);
    },
    async insert(table, columns, rows) {
      if (table === 'quotes') await ensureMonths(client, columns, rows);
      for (const batch of batchesOf(rows, columns.length)) await insertBatch(client, table, columns, batch);
    },
    async raiseEpoch() {
      await client.query(RAISE_EPOCH);
    },
    async commit() {
      await client.query('commit');
    },
  };
}

async function connect(databaseUrl: string): Promise<pg.Client> {
  const client = createPgClient(databaseUrl, 0);
  client.on('error', () => {});
  await client.connect();
  return client;
}

async function ensureMonths(
  client: pg.Client,
  columns: readonly string[],
  rows: readonly Row[],
): Promise<void> {
  const index = columns.indexOf('observed_ts');
  await ensureQuoteMonths(
    client,
    rows.map((row) => row[index] as number),
  );
}

async function insertBatch(
  client: pg.Client,
  table: string,
  columns: readonly string[],
  rows: readonly Row[],
): Promise<void> {
  let parameter = 0;
  const marks = rows.map(() => `(${columns.map(() => `$${++parameter}`).join(', ')})`).join(', ');
  const values = rows.flat().map((cell) => (cell instanceof Uint8Array ? Buffer.from(cell) : cell));
  await client.query(`insert into ${table} (${quoteAll(columns)}) values ${marks}`, values);
}

function createReader(client: pg.Client): TableReader {
  return {
    async count(table) {
      const { rows } = await client.query<{ count: number }>(`select count(*) as count from ${table}`);
      return rows[0]!.count;
    },
    async *read(table, columns) {
      await client.query(`declare copying no scroll cursor for select ${quoteAll(columns)} from ${table}`);
      for (;;) {
        const { rows } = await client.query<Row & unknown[]>({
          text: `fetch ${BATCH_ROWS} from copying`,
          rowMode: 'array',
        });
        if (rows.length === 0) break;
        yield rows;
      }
      await client.query('close copying');
    },
    close: () => client.end(),
  };
}

function quoteAll(columns: readonly string[]): string {
  return columns.map((column) => `"${column}"`).join(', ');
}
