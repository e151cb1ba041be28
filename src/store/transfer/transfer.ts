// Backup and restore. A backup from either engine is one SQLite file, so both work across engines.

import {
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  mkdtempSync,
  openSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { errorMessage, StartError, StoreError, UsageError } from '../../runtime/errors.ts';
import { ALL_MIGRATIONS, OLDEST_VERSION } from '../migrations/all-migrations.ts';
import { openReadOnly, openWritable } from '../sqlite/connection.ts';
import { migrateSqlite } from '../sqlite/sqlite-engine.ts';
import { openSqliteWriter, readColumns } from '../sqlite/sqlite-tables.ts';
import { type CopiedTable, type CopyProgress, copyTables, hasRows } from '../table-copy.ts';
import { describePlace, migratePlace, openReader, openWriter, type StorePlace } from './place.ts';

// Handles a SQLite database as a file: copy, merge into one file, detect, delete.

/** Makes a consistent copy while other processes read and write. */
function vacuumInto(path: string, copyPath: string): void {
  if (!existsSync(path)) throw new UsageError(`there is no store at ${path}`);
  const database = openReadOnly(path);
  try {
    database.prepare('vacuum into ?').run(copyPath);
  } finally {
    database.close();
  }
}

/** A single file without WAL can be read even from a read-only folder. */
function leaveWalMode(path: string): void {
  const database = openWritable(path);
  database.exec('pragma journal_mode = delete');
  database.close();
}

function isBackup(file: string): boolean {
  if (!existsSync(file)) throw new UsageError(`there is no file ${file}`);
  try {
    const database = openReadOnly(file);
    try {
      return (
        Number(database.prepare('select max(version) as version from schema_version').get()?.version) > 0
      );
    } finally {
      database.close();
    }
  } catch {
    return false;
  }
}

function removeSqlite(path: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true });
}

export interface TransferOptions {
  nowTs: number;
  /** Overwrites existing data. */
  force: boolean;
  onProgress: (progress: CopyProgress) => void;
}

const OWNER_ONLY = 0o600;

/** Makes a consistent copy while the service runs. The file gets its final name only when complete. */
export async function backUp(place: StorePlace, file: string, options: TransferOptions): Promise<void> {
  if (existsSync(file) && !options.force) {
    throw new UsageError(`${file} already exists; pass --force to overwrite it`);
  }
  const draft = `${file}.partial`;
  removeSqlite(draft);
  // Created with private permissions, because it will contain key digests and webhook secrets.
  closeSync(openSync(draft, 'w', OWNER_ONLY));
  try {
    if (place.engine === 'sqlite') vacuumInto(place.path, draft);
    else await copyIntoFile(place, draft, options);
    syncFile(draft);
    renameSync(draft, file);
    syncFile(dirname(file) || '.');
  } finally {
    removeSqlite(draft);
  }
}

/** Replaces the location's data with the backup's, in one transaction. */
export async function restore(
  file: string,
  place: StorePlace,
  options: TransferOptions,
): Promise<CopiedTable[]> {
  if (!isBackup(file)) throw new StartError(`${file} is not a backup of this service`);
  const folder = mkdtempSync(join(tmpdir(), 'tallycast-restore-'));
  try {
    // Works on a copy, because an older backup is migrated first.
    const copy = join(folder, 'backup.sqlite');
    copyFileSync(file, copy);
    checkBackup(file, copy);
    return await moveAll({ engine: 'sqlite', path: copy }, place, options);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function moveAll(
  from: StorePlace & { engine: 'sqlite' },
  to: StorePlace,
  options: TransferOptions,
): Promise<CopiedTable[]> {
  await migratePlace(from, options.nowTs);
  await migratePlace(to, options.nowTs);
  const source = await openReader(from);
  const target = await openWriter(to);
  try {
    if (!options.force && (await hasRows(target))) {
      throw new UsageError(`${describePlace(to)} already has data; pass --force to replace it`);
    }
    const columnsOf = readColumns(from.path);
    const copied = await copyTables({ source, target, columnsOf, onProgress: options.onProgress });
    await target.raiseEpoch();
    await target.commit();
    return copied;
  } finally {
    await source.close();
    await target.close();
  }
}

async function copyIntoFile(place: StorePlace, draft: string, options: TransferOptions): Promise<void> {
  const database = openWritable(draft);
  migrateSqlite(database, options.nowTs);
  database.close();
  const source = await openReader(place);
  const target = openSqliteWriter(draft);
  try {
    await copyTables({ source, target, columnsOf: readColumns(draft), onProgress: options.onProgress });
    await target.commit();
  } finally {
    await source.close();
    await target.close();
  }
  leaveWalMode(draft);
}

export function syncFile(path: string): void {
  const descriptor = openSync(path, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}

// Checks that a file is a valid backup: intact and with exactly our schema, so that nothing in it (a trigger,
// a view, an odd column name) can run or end up in a statement.

/** Throws an error the operator can act on. `file` is the name to show, `path` the copy to check. */
export function checkBackup(file: string, path: string): void {
  // An unknown schema must not call functions with side effects during the check.
  const database = new DatabaseSync(path, { readOnly: true, enableDoubleQuotedStringLiterals: false });
  try {
    database.exec('pragma trusted_schema = off');
    const version = readVersion(database);
    checkSchema(database, version, file);
    const verdict = Object.values(database.prepare('pragma quick_check(1)').get() ?? {})[0];
    if (verdict !== 'ok') throw new StartError(`${file} is damaged: ${verdict}; nothing was changed`);
  } catch (error) {
    if (error instanceof StartError || error instanceof StoreError) throw error;
    throw new StartError(`${file} is damaged: ${errorMessage(error)}; nothing was changed`);
  } finally {
    database.close();
  }
}

function readVersion(database: DatabaseSync): number {
  return Number(database.prepare('select max(version) as version from schema_version').get()?.version);
}

/** Compares with the schema created by migrations up to its version; other versions fail in the migration. */
function checkSchema(database: DatabaseSync, version: number, file: string): void {
  if ((version > 0 && version < OLDEST_VERSION) || version > ALL_MIGRATIONS.at(-1)!.version) return;
  const model = new DatabaseSync(':memory:');
  try {
    migrateSqlite(
      model,
      0,
      ALL_MIGRATIONS.filter((migration) => migration.version <= version),
    );
    const [expected, found] = [readSchema(model), readSchema(database)];
    const odd = [...found.keys()].find((name) => found.get(name) !== expected.get(name));
    const missing = [...expected.keys()].find((name) => !found.has(name));
    if (odd !== undefined || missing !== undefined)
      throw new StartError(
        `${file} is not a backup of this service: ${describe(odd, missing)}; nothing was changed`,
      );
  } finally {
    model.close();
  }
}

function describe(odd: string | undefined, missing: string | undefined): string {
  return odd === undefined
    ? `${missing} is missing`
    : `${JSON.stringify(odd.slice(0, 80))} is not part of its schema`;
}

function readSchema(database: DatabaseSync): Map<string, string> {
  const rows = database
    .prepare(
      "select type, name, coalesce(sql, '') as sql from sqlite_schema where name not like 'sqlite\\_%' escape '\\'",
    )
    .all() as { type: string; name: string; sql: string }[];
  return new Map(rows.map(({ type, name, sql }) => [`${type} ${name}`, withoutLayout(sql)]));
}

/** A column added later is on its predecessor's line. */
function withoutLayout(sql: string): string {
  return sql.replace(/\s+/g, ' ').replace(/ ?([(),]) ?/g, '$1');
}
