// Creates and checks the data folder, and locks it for the only writing process. An operating-system lock is
// released when the process ends; a pid file would be stale after kill -9 and ambiguous in containers.

import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StartError } from '../runtime/errors.ts';
import { describeSystemError } from './explain-start-failure.ts';

export interface HeldFolder {
  release(): void;
}

const LOCK_FILE = 'running.lock';
const HOLDER_FILE = 'running.json';
const SQLITE_BUSY = 5;

/** Throws immediately if the folder is not writable. */
export function prepareDataFolder(dataDir: string): void {
  try {
    makeFolder(resolve(dataDir));
    const trial = join(dataDir, `.trial-${process.pid}`);
    writeFileSync(trial, 'x');
    rmSync(trial);
  } catch (error) {
    throw refuse(dataDir, describeSystemError(error));
  }
}

/** Creates one level at a time, because Node's recursive mkdir never returns below /proc. */
function makeFolder(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory()) return;
  if (found) throw Object.assign(new Error('not a directory'), { code: 'ENOTDIR' });
  makeFolder(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}

/**
 * Locks the folder for the process that ingests into an embedded store; the error for a second process
 * identifies the first.
 */
export function holdDataFolder(dataDir: string, nowTs: number): HeldFolder {
  prepareDataFolder(dataDir);
  const holderFile = join(dataDir, HOLDER_FILE);
  const lock = takeLock(join(dataDir, LOCK_FILE));
  if (!lock)
    throw new StartError(
      `DATA_DIR: ${dataDir} is in use by ${describeHolder(holderFile)}; stop it or pass another --data-dir`,
    );
  writeFileSync(holderFile, JSON.stringify({ pid: process.pid, started: new Date(nowTs).toISOString() }), {
    mode: 0o600,
  });
  return {
    release() {
      rmSync(holderFile, { force: true });
      lock.close();
    },
  };
}

function takeLock(path: string): DatabaseSync | null {
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    database.exec('BEGIN IMMEDIATE');
    return database;
  } catch (error) {
    database.close();
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return null;
    throw refuse(dirname(path), (error as Error).message);
  }
}

function describeHolder(file: string): string {
  try {
    const { pid, started } = JSON.parse(readFileSync(file, 'utf8')) as { pid: number; started: string };
    return `process ${pid} (since ${started})`;
  } catch {
    return 'another process';
  }
}

function refuse(dataDir: string, reason: string): StartError {
  return new StartError(`DATA_DIR: cannot write to ${dataDir}: ${reason}`);
}
