// Handles a SQLite database as a file: copy, merge into one file, detect, delete.

import { existsSync, rmSync } from 'node:fs';
import { UsageError } from '../../runtime/errors.ts';
import { openReadOnly, openWritable } from './connection.ts';

/** Makes a consistent copy while other processes read and write. */
export function vacuumInto(path: string, copyPath: string): void {
  if (!existsSync(path)) throw new UsageError(`there is no store at ${path}`);
  const database = openReadOnly(path);
  try {
    database.prepare('vacuum into ?').run(copyPath);
  } finally {
    database.close();
  }
}

/** A single file without WAL can be read even from a read-only folder. */
export function leaveWalMode(path: string): void {
  const database = openWritable(path);
  database.exec('pragma journal_mode = delete');
  database.close();
}

export function isBackup(file: string): boolean {
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

export function removeSqlite(path: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true });
}
