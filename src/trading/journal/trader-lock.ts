// One trader per folder: two would place every order twice and corrupt each other's journal. SQLite holds the
// lock on a separate file and releases it when the process ends, even after a crash.

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { UsageError } from '../../runtime/errors.ts';
import { makePrivateFile } from '../../runtime/private-files.ts';

/** Returns a function that releases the lock. */
export function lockTrader(folder: string): () => void {
  const path = join(folder, 'trader.lock');
  makePrivateFile(path);
  const database = new DatabaseSync(path);
  try {
    database.exec('pragma busy_timeout = 0; begin exclusive');
  } catch {
    database.close();
    throw new UsageError(`a trader is already running on ${folder}. Stop it, or pass another --data.`);
  }
  return () => database.close();
}
