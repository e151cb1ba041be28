// Monthly partitions of quotes: created with the first quote of a month, dropped as a whole when pruned.

import type { Kysely } from 'kysely';
import { CompiledQuery } from 'kysely';
import type { Database } from '../schema.ts';

const PARTITION_NAME = /^quotes_(\d{4})_(\d{2})$/;
/** Serialises processes that reach a new month at the same time. */
const PARTITION_LOCK = 7_203_002;

interface QuoteMonth {
  name: string;
  fromTs: number;
  untilTs: number;
}

/** The common interface of a pooled transaction and a plain client. */
export interface SqlRunner {
  query(text: string): Promise<{ rows: unknown[] }>;
}

export function toSqlRunner(db: Kysely<Database>): SqlRunner {
  return { query: (text) => db.executeQuery(CompiledQuery.raw(text)) };
}

/** Call inside the transaction that inserts. */
export async function ensureQuoteMonths(runner: SqlRunner, times: readonly number[]): Promise<void> {
  const months = new Map(times.map(monthOf).map((month) => [month.name, month]));
  for (const month of months.values()) {
    if (!(await isThere(runner, month.name))) await createPartition(runner, month);
  }
}

async function isThere(runner: SqlRunner, name: string): Promise<boolean> {
  const { rows } = await runner.query(`select to_regclass('${name}') is not null as found`);
  return (rows[0] as { found: boolean }).found;
}

async function createPartition(runner: SqlRunner, { name, fromTs, untilTs }: QuoteMonth): Promise<void> {
  await runner.query(`select pg_advisory_xact_lock(${PARTITION_LOCK})`);
  await runner.query(
    `create table if not exists ${name} partition of quotes for values from (${fromTs}) to (${untilTs})`,
  );
}

/** Drops months that end before `beforeTs`; returns the number of removed rows. */
export async function dropQuoteMonthsBefore(runner: SqlRunner, beforeTs: number): Promise<number> {
  const { rows } = await runner.query(
    `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'quotes'::regclass`,
  );
  let dropped = 0;
  for (const { name } of rows as { name: string }[]) {
    if (endOfMonth(name) > beforeTs) continue;
    const counted = await runner.query(`select count(*) as count from ${name}`);
    await runner.query(`drop table ${name}`);
    dropped += (counted.rows[0] as { count: number }).count;
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
