// A node:sqlite connection behind kysely's SQLite dialect, which prepares each statement once.

import { dirname } from 'node:path';
import type { SQLInputValue, StatementSync } from 'node:sqlite';
import { DatabaseSync } from 'node:sqlite';
import type { SqliteStatement } from 'kysely';
import { Kysely, SqliteDialect } from 'kysely';
import { makePrivateFile, makePrivateFolder, tightenIfPresent } from '../../runtime/private-files.ts';
import type { Connection } from '../engine.ts';
import type { Database } from '../schema.ts';

const BUSY_TIMEOUT_MS = 5_000;
const MAX_CACHED_STATEMENTS = 300;
const WAL_SIZE_LIMIT_BYTES = 64 * 1024 * 1024;

export function openWritable(path: string): DatabaseSync {
  makePrivateFolder(dirname(path));
  makePrivateFile(path);
  // New WAL and index files inherit the database's permissions, but existing ones may be readable by others.
  for (const suffix of ['-wal', '-shm']) tightenIfPresent(path + suffix);
  const database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
  // FULL syncs the log on every commit, so acknowledged data survives a power cut.
  database.exec('pragma journal_mode = wal');
  database.exec('pragma synchronous = full');
  database.exec(`pragma journal_size_limit = ${WAL_SIZE_LIMIT_BYTES}`);
  return database;
}

export function openReadOnly(path: string): DatabaseSync {
  return new DatabaseSync(path, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
}

export function createRunEach(database: DatabaseSync): NonNullable<Connection['runEach']> {
  const statements = new Map<string, StatementSync>();
  return (text, rows) => {
    let statement = statements.get(text);
    if (!statement) statements.set(text, (statement = database.prepare(text)));
    for (const row of rows) statement.run(...(row.some(hasNul) ? toInputs(row) : row));
  };
}

export function createKysely(database: DatabaseSync): Kysely<Database> {
  const statements = new Map<string, SqliteStatement>();

  function prepare(text: string): SqliteStatement {
    const known = statements.get(text);
    if (known) return known;
    // Lists of varying length create many statements, so the oldest one is dropped.
    if (statements.size >= MAX_CACHED_STATEMENTS) statements.delete(statements.keys().next().value!);
    const statement = wrapStatement(database.prepare(text));
    statements.set(text, statement);
    return statement;
  }

  return new Kysely<Database>({
    dialect: new SqliteDialect({ database: { prepare, close: () => database.close() } }),
  });
}

/** Reads rows as arrays and makes objects of them here, which takes less CPU than in node:sqlite. */
function wrapStatement(statement: StatementSync): SqliteStatement {
  let row = describeRow(statement);
  statement.setReturnArrays(true);
  const toObjects = (rows: unknown[][]) => {
    // A newer version may add a column while this one runs.
    if (rows[0] && rows[0].length !== row.width) row = describeRow(statement);
    return rows.map(row.toObject);
  };
  const readAll = (parameters: readonly unknown[]) =>
    toObjects(statement.all(...toInputs(parameters)) as unknown as unknown[][]);
  return {
    reader: row.width > 0,
    all: readAll,
    run: (parameters) => statement.run(...toInputs(parameters)),
    iterate: (parameters) => readAll(parameters).values(),
  };
}

interface RowShape {
  width: number;
  toObject: (values: unknown[]) => Record<string, unknown>;
}

/** Compiles a literal for the statement's rows, which is faster than setting their properties by name. */
function describeRow(statement: StatementSync): RowShape {
  const names = statement.columns().map(({ name }) => JSON.stringify(name));
  const fields = names.map((name, i) => `${name}: values[${i}]`);
  const toObject = new Function('values', `return { ${fields.join(', ')} };`) as RowShape['toObject'];
  return { width: names.length, toObject };
}

/** PostgreSQL cannot store NUL in text, so neither engine does. */
function toInputs(parameters: readonly unknown[]): SQLInputValue[] {
  return parameters.map((value) =>
    hasNul(value) ? (value as string).replaceAll('\0', '') : (value as SQLInputValue),
  );
}

function hasNul(value: unknown): boolean {
  return typeof value === 'string' && value.includes('\0');
}
