// PostgreSQL specifics: column-wise inserts, monthly partitions, notifications, shared locks.

import { sql } from 'kysely';
import type pg from 'pg';
import { createSchema, hasSchema, READ_VERSION } from '../create-schema.ts';
import type { Engine, InsertedPost, SnapshotVersion } from '../engine.ts';
import type { PostsTable } from '../schema.ts';
import { dropQuoteMonthsBefore, ensureQuoteMonths, toSqlRunner } from './quote-months.ts';

export const SNAPSHOT_CHANNEL = 'tallycast_snapshots';

/** Serialises transactions that insert new tokens. */
const TOKEN_LOCK = 7_203_014;

const TEXT_COLUMNS: ReadonlySet<keyof PostsTable> = new Set([
  'account_id',
  'post_id',
  'root_post_id',
  'text',
  'first_source',
  'conversation',
]);

export const postgresEngine: Engine = {
  name: 'postgres',

  /** Uses one parameter per column instead of one per value, which makes imports several times faster. */
  async insertPosts(db, rows) {
    const columns = Object.keys(rows[0]!) as (keyof PostsTable)[];
    const arrays = columns.map((column) => {
      const type = TEXT_COLUMNS.has(column) ? sql`text[]` : sql`bigint[]`;
      return sql`${rows.map((row) => row[column])}::${type}`;
    });
    const { rows: inserted } = await sql<InsertedPost>`
      insert into posts (${sql.join(columns.map((column) => sql.ref(column)))})
      select * from unnest(${sql.join(arrays)})
      on conflict do nothing returning account_id, post_id`.execute(db);
    return inserted;
  },

  makeRoomForQuotes: (db, times) => ensureQuoteMonths(toSqlRunner(db), times),
  async holdTokenNumbers(db) {
    await sql`select pg_advisory_xact_lock(${sql.lit(TOKEN_LOCK)})`.execute(db);
  },
  dropQuotesBefore: (db, beforeTs) => dropQuoteMonthsBefore(toSqlRunner(db), beforeTs),

  /** PostgreSQL delivers it on commit, so a listener never reads too early. */
  async announceSnapshots(db, versions) {
    for (const payload of splitNotice(versions))
      await sql`select pg_notify(${SNAPSHOT_CHANNEL}, ${payload})`.execute(db);
  },

  async commitWithoutWaiting(db) {
    await sql`set local synchronous_commit to off`.execute(db);
  },

  async holdEpoch(db) {
    const { rows } = await sql<{ epoch: number }>`select epoch from leadership for share`.execute(db);
    return rows[0]!.epoch;
  },
};

/** A notification has at most 8,000 bytes. */
const MAX_NAMES_BYTES = 6_000;

/** As few JSON texts as fit. */
function* splitNotice(versions: readonly SnapshotVersion[]): Generator<string> {
  let part: SnapshotVersion[] = [];
  let bytes = 0;
  for (const each of versions) {
    const size = Buffer.byteLength(JSON.stringify(each)) + 1;
    if (part.length > 0 && bytes + size > MAX_NAMES_BYTES) {
      yield JSON.stringify(part);
      part = [];
      bytes = 0;
    }
    part.push(each);
    bytes += size;
  }
  if (part.length > 0) yield JSON.stringify(part);
}

/** Admits one process at a time. */
const SCHEMA_LOCK = 7_203_001;

/** In one transaction. Returns whether the schema was created. */
export async function preparePostgres(client: pg.Client): Promise<boolean> {
  await client.query('begin');
  try {
    await client.query('select pg_advisory_xact_lock($1)', [SCHEMA_LOCK]);
    const isNew = !hasSchema(await readVersion(client));
    if (isNew) await client.query(createSchema('postgres'));
    await client.query('commit');
    return isNew;
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
}

async function readVersion(client: pg.Client): Promise<number> {
  const table = await client.query<{ found: boolean }>(
    "select to_regclass('schema_version') is not null as found",
  );
  if (!table.rows[0]!.found) return 0;
  const result = await client.query<{ version: number | null }>(READ_VERSION);
  return result.rows[0]!.version ?? 0;
}
