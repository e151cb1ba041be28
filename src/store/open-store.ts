// Opens the store: PostgreSQL if a database URL is given, otherwise a SQLite file.

import { join } from 'node:path';
import type { Clock } from '../runtime/clock.ts';
import type { Logger } from '../runtime/logger.ts';
import type { LentPorts, LentStore } from './lent-store.ts';
import type { Store } from './ports.ts';

export const SQLITE_FILE_NAME = 'tallycast.sqlite';

export interface OpenStoreOptions {
  /** postgres://...; absent or empty for the embedded store. */
  databaseUrl?: string | null | undefined;
  /** The same database, bypassing a transaction-mode pooler; needed for leader election and notifications. */
  directDatabaseUrl?: string | null | undefined;
  dataDir: string;
  clock: Clock;
  logger: Logger;
  /** Size of the PostgreSQL connection pool. */
  poolSize?: number;
}

/** Migrates if needed; several processes may open the same store at the same time. */
export async function openStore(options: OpenStoreOptions): Promise<Store> {
  const { databaseUrl, dataDir, clock, logger } = options;
  // Loaded on demand, so that only the chosen engine uses memory.
  if (databaseUrl) {
    const { openPostgresStore } = await import('./postgres/postgres-store.ts');
    return openPostgresStore({ ...options, databaseUrl });
  }
  const { openSqliteStore } = await import('./sqlite/sqlite-store.ts');
  return openSqliteStore({ path: join(dataDir, SQLITE_FILE_NAME), clock, logger });
}

/** Opens what another thread lent; `onEnd`: nothing can be written any more. */
export async function borrowStore(lent: LentStore, logger: Logger, onEnd: () => void): Promise<LentPorts> {
  if (lent.engine === 'postgres') {
    const { borrowPostgresStore } = await import('./postgres/postgres-store.ts');
    return borrowPostgresStore(lent, logger);
  }
  const { borrowSqliteStore } = await import('./sqlite/sqlite-store.ts');
  return borrowSqliteStore(lent, onEnd);
}
