// Backup, restore and migration to PostgreSQL. A backup from either engine is one SQLite file, so all three
// use the same copy and work across engines.

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
import { UsageError } from '../../runtime/errors.ts';
import { checkBackup } from '../sqlite/check-backup.ts';
import { openReadOnly, openWritable } from '../sqlite/connection.ts';
import { migrateSqlite } from '../sqlite/sqlite-engine.ts';
import { openSqliteWriter, readColumns } from '../sqlite/sqlite-tables.ts';
import type { CopiedTable, CopyProgress } from '../table-copy.ts';
import { copyTables, hasRows } from '../table-copy.ts';
import type { StorePlace } from './place.ts';
import { describePlace, migratePlace, openReader, openWriter } from './place.ts';

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
  if (!isBackup(file)) throw new UsageError(`${file} is not a backup of this service`);
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

/** Copies a SQLite store into a PostgreSQL database and compares the two. The source stays unchanged. */
export async function migrateStore(
  from: StorePlace,
  to: StorePlace,
  options: TransferOptions,
): Promise<CopiedTable[]> {
  if (from.engine !== 'sqlite' || to.engine !== 'postgres') {
    throw new UsageError(
      'migrate-store copies from sqlite to postgres; use backup and restore for other directions',
    );
  }
  if (!existsSync(from.path)) throw new UsageError(`there is no store at ${from.path}`);
  return moveAll(from, to, options);
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

function syncFile(path: string): void {
  const descriptor = openSync(path, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}
