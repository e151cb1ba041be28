// Opens the configured store for commands that may run alongside the service.

import { prepareDataFolder } from '../app/data-folder.ts';
import type { Config } from '../config/config.ts';
import { systemClock } from '../runtime/clock.ts';
import { silentLogger } from '../runtime/logger.ts';
import { openStore } from '../store/open-store.ts';
import type { Store } from '../store/ports.ts';

export async function withStore<T>(config: Config, work: (store: Store) => Promise<T>): Promise<T> {
  const { databaseUrl, directDatabaseUrl } = config.secrets;
  const { dataDir } = config;
  if (!databaseUrl) prepareDataFolder(dataDir);
  const services = { clock: systemClock, logger: silentLogger };
  const store = await openStore({ databaseUrl, directDatabaseUrl, dataDir, ...services });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}
