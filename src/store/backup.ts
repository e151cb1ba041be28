// A copy of the store in one file, made while the service runs: a SQLite file, or an archive of pg_dump.

import { execFile } from 'node:child_process';
import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { errorMessage, StartError, UsageError } from '../runtime/errors.ts';
import { SQLITE_FILE_NAME } from './open-store.ts';
import { openReadOnly } from './sqlite/connection.ts';

export interface BackupOptions {
  dataDir: string;
  databaseUrl: string | null;
  /** Overwrites an existing file. */
  force: boolean;
  /** For pg_dump, which is found on its PATH. */
  env: Readonly<Record<string, string | undefined>>;
}

const OWNER_ONLY = 0o600;

/** The file gets its name only when it is complete. */
export async function backUp(file: string, options: BackupOptions): Promise<void> {
  const { dataDir, databaseUrl, force, env } = options;
  if (existsSync(file) && !force)
    throw new UsageError(`${file} already exists; pass --force to overwrite it`);
  const draft = `${file}.partial`;
  rmSync(draft, { force: true });
  // Created with private permissions, because it will contain key digests and webhook secrets.
  closeSync(openSync(draft, 'w', OWNER_ONLY));
  try {
    if (databaseUrl) await dumpPostgres(databaseUrl, draft, env);
    else copySqlite(join(dataDir, SQLITE_FILE_NAME), draft);
    sync(draft);
    renameSync(draft, file);
    sync(dirname(file) || '.');
  } finally {
    rmSync(draft, { force: true });
  }
}

function copySqlite(path: string, copyPath: string): void {
  if (!existsSync(path)) throw new UsageError(`there is no store at ${path}`);
  const database = openReadOnly(path);
  try {
    database.prepare('vacuum into ?').run(copyPath);
  } finally {
    database.close();
  }
}

async function dumpPostgres(databaseUrl: string, file: string, env: BackupOptions['env']): Promise<void> {
  const url = new URL(databaseUrl);
  // Other users can read a program's arguments.
  const withPassword = { ...env, PGPASSWORD: decodeURIComponent(url.password) };
  url.password = '';
  try {
    await promisify(execFile)('pg_dump', ['--format=custom', `--file=${file}`, url.href], {
      env: withPassword,
    });
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    if (isMissing)
      throw new StartError('pg_dump was not found. Install the client programs of PostgreSQL.', error);
    throw new StartError(
      `pg_dump failed: ${(error as { stderr?: string }).stderr || errorMessage(error)}`,
      error,
    );
  }
}

function sync(path: string): void {
  const descriptor = openSync(path, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}
