// Temporary stores for one run: a storm never touches a store with data.

import { silentLogger } from '../../src/runtime/logger.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { StormOptions } from './storm.ts';

export interface ScratchStores extends Pick<StormOptions, 'openStore' | 'ageHeartbeat'> {
  clear(): Promise<void>;
}

const AGE_HEARTBEAT = "update ingest_heartbeats set beaten_at = clock_timestamp() - interval '1 hour'";

export async function openScratchStores(
  engine: 'sqlite' | 'postgres',
  folder: string,
): Promise<ScratchStores> {
  if (engine === 'sqlite') {
    return {
      openStore: (clock) => openStore({ dataDir: folder, clock, logger: silentLogger }),
      clear: async () => {},
    };
  }
  // This checkout's test server: a fresh database on a separate PostgreSQL.
  const { createDatabase, runSql } = await import('../../test/support/postgres.ts');
  const database = await createDatabase();
  // The server is never killed here, and syncing would access the disk thousands of times.
  await runSql(database.url, `alter database ${database.name} set synchronous_commit = off`);
  return {
    openStore: (clock) =>
      openStore({
        dataDir: folder,
        databaseUrl: database.url,
        clock,
        logger: silentLogger,
        // Runs calls in the order they were made, so that a run is reproducible.
        poolSize: 1,
      }),
    ageHeartbeat: () => runSql(database.url, AGE_HEARTBEAT),
    clear: () => database.drop(),
  };
}
