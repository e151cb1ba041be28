// Monthly partitions of the quotes: made when the first quote of a month arrives, dropped whole when pruned.

import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Database } from '../schema.ts';

const PARTITION_NAME = /^quotes_(\d{4})_(\d{2})$/;
/** Two processes that meet the same new month take turns. */
const PARTITION_LOCK = 7_203_002;

interface QuoteMonth {
  name: string;
  fromTs: number;
  untilTs: number;
}

/** Run inside the transaction that inserts. */
export async function ensureQuoteMonths(db: Kysely<Database>, times: readonly number[]): Promise<void> {
  const months = new Map(times.map(monthOf).map((month) => [month.name, month]));
  for (const month of months.values()) {
    if (!(await isThere(db, month.name))) await createPartition(db, month);
  }
}

async function isThere(db: Kysely<Database>, name: string): Promise<boolean> {
  const result = await sql<{ found: boolean }>`select to_regclass(${name}) is not null as found`.execute(db);
  return result.rows[0]!.found;
}

async function createPartition(db: Kysely<Database>, { name, fromTs, untilTs }: QuoteMonth): Promise<void> {
  await sql`select pg_advisory_xact_lock(${sql.lit(PARTITION_LOCK)})`.execute(db);
  await sql`create table if not exists ${sql.table(name)} partition of quotes
    for values from (${sql.lit(fromTs)}) to (${sql.lit(untilTs)})`.execute(db);
}

/** Drops the months that lie wholly before the time; returns how many rows went with them. */
export async function dropQuoteMonthsBefore(db: Kysely<Database>, beforeTs: number): Promise<number> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'quotes'::regclass`.execute(db);
  let dropped = 0;
  for (const { name } of rows) {
    if (endOfMonth(name) > beforeTs) continue;
    const counted = await sql<{ count: number }>`select count(*) as count from ${sql.table(name)}`.execute(
      db,
    );
    await sql`drop table ${sql.table(name)}`.execute(db);
    dropped += counted.rows[0]!.count;
  }
  return dropped;
}

function monthOf(ts: number): QuoteMonth {
  const date = new Date(ts);
  const year = date.getUTCFullYear();
  const month = date.getUTCMonth();
  return {
    name: `quotes_${String(year).padStart(4, '0')}_${String(month + 1).padStart(2, '0')}`,
    fromTs: Date.UTC(year, month, 1),
    untilTs: Date.UTC(year, month + 1, 1),
  };
}

function endOfMonth(name: string): number {
  const match = PARTITION_NAME.exec(name);
  return match ? Date.UTC(Number(match[1]), Number(match[2]), 1) : Number.POSITIVE_INFINITY;
}
