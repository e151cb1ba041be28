// Inserts many rows the fastest way for each engine: a prepared statement per row for an engine in this
// thread, one parameter per column for a server. Neither builds SQL text that grows with the rows.

import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Connection } from '../engine.ts';
import type { ColumnType } from '../record-table.ts';
import type { Database } from '../schema.ts';

type Value = string | number | Uint8Array | null;

/** Every column with its type, in order. */
export type Columns<Row> = { readonly [Name in keyof Row & string]: ColumnType };

/** Existing rows stay unchanged. */
export async function insertNew<Row extends object>(
  { db, runEach }: Connection,
  table: keyof Database,
  columns: Columns<Row>,
  rows: readonly Row[],
): Promise<void> {
  if (rows.length === 0) return;
  const names = Object.keys(columns) as (keyof Row & string)[];
  if (runEach) {
    const marks = names.map(() => '?').join(', ');
    const text = `insert into ${table} (${names.join(', ')}) values (${marks}) on conflict do nothing`;
    return runEach(text, valuesOf(rows, names));
  }
  await sql`insert into ${sql.table(table)} (${listOf(names)})
    select * from unnest(${arraysOf(rows, columns)}) on conflict do nothing`.execute(db);
}

/** The first column identifies the row; the other columns are updated. */
export async function updateEach<Row extends object>(
  { db, runEach }: Connection,
  table: keyof Database,
  columns: Columns<Row>,
  rows: readonly Row[],
): Promise<void> {
  if (rows.length === 0) return;
  const [key, ...changed] = Object.keys(columns) as (keyof Row & string)[];
  if (runEach) {
    const text = `update ${table} set ${changed.map((name) => `${name} = ?`).join(', ')} where ${key} = ?`;
    return runEach(text, valuesOf(rows, [...changed, key!]));
  }
  const changes = sql.join(changed.map((name) => sql`${sql.ref(name)} = ${sql.ref(`given.${name}`)}`));
  await sql`update ${sql.table(table)} as kept set ${changes}
    from unnest(${arraysOf(rows, columns)}) as given(${listOf([key!, ...changed])})
    where ${sql.ref(`kept.${key}`)} = ${sql.ref(`given.${key}`)}`.execute(db);
}

/** A row with the same keys is replaced, where the condition holds; no two rows may have the same keys. */
export async function replaceRows<Row extends object>(
  connection: Connection,
  table: keyof Database,
  columns: Columns<Row>,
  keys: readonly (keyof Row & string)[],
  rows: readonly Row[],
  condition = '',
): Promise<void> {
  const names = Object.keys(columns) as (keyof Row & string)[];
  const changes = names.filter((name) => !keys.includes(name)).map((name) => `${name} = excluded.${name}`);
  const then = `on conflict (${keys.join(', ')}) do update set ${changes.join(', ')} ${condition}`;
  await insertTuples(connection, table, columns, valuesOf(rows, names), then);
}

/** A condition that a column has one of these values. */
export function isAmong(
  { engine }: Connection,
  column: string,
  type: ColumnType,
  values: readonly Value[],
): RawBuilder<SqlBool> {
  return engine.name === 'postgres'
    ? sql`${sql.ref(column)} = any(${values}::${sql.raw(`${type}[]`)})`
    : sql`${sql.ref(column)} in (${sql.join(values)})`;
}

/** Takes rows as values in column order; `then` is the rest of the statement, such as a conflict clause. */
export async function insertTuples(
  { db, runEach }: Connection,
  table: keyof Database,
  columns: Readonly<Record<string, ColumnType>>,
  tuples: Iterable<readonly Value[]>,
  then = '',
): Promise<void> {
  const names = Object.keys(columns).join(', ');
  if (runEach) {
    const marks = Object.keys(columns).map(() => '?');
    return runEach(`insert into ${table} (${names}) values (${marks.join(', ')}) ${then}`, tuples);
  }
  const rows = [...tuples];
  if (rows.length === 0) return;
  const arrays = Object.values(columns).map(
    (type, i) => sql`${rows.map((row) => row[i])}::${sql.raw(`${type}[]`)}`,
  );
  await sql`insert into ${sql.table(table)} (${sql.raw(names)})
    select * from unnest(${sql.join(arrays)}) ${sql.raw(then)}`.execute(db);
}

function* valuesOf<Row extends object>(
  rows: readonly Row[],
  names: readonly (keyof Row & string)[],
): Generator<Value[]> {
  for (const row of rows) yield names.map((name) => row[name] as Value);
}

function listOf(names: readonly string[]): RawBuilder<unknown> {
  return sql.join(names.map((name) => sql.ref(name)));
}

function arraysOf<Row extends object>(rows: readonly Row[], columns: Columns<Row>): RawBuilder<unknown> {
  const names = Object.keys(columns) as (keyof Row & string)[];
  return sql.join(
    names.map((name) => sql`${rows.map((row) => row[name])}::${sql.raw(`${columns[name]}[]`)}`),
  );
}

/** Limits the parameters of one statement to what every engine accepts. */
const MAX_PARAMETERS = 8_000;

/** Splits long lists so that one statement stays within every engine's parameter limit. */
export function* batchesOf<T>(rows: readonly T[], columnsPerRow: number): Generator<readonly T[]> {
  const size = Math.max(1, Math.floor(MAX_PARAMETERS / columnsPerRow));
  for (let start = 0; start < rows.length; start += size) yield rows.slice(start, start + size);
}
