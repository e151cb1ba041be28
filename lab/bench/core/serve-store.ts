// Serves the API from a bench's store, on the bench's clock.

import { createKeyService } from '../../../src/access/key-service.ts';
import { DEFAULT_LIMITS } from '../../../src/access/limiter.ts';
import { loadConfig } from '../../../src/config/config.ts';
import type { Clock } from '../../../src/runtime/clock.ts';
import { silentLogger } from '../../../src/runtime/logger.ts';
import { createRandom } from '../../../src/runtime/random.ts';
import { createApi } from '../../../src/server/server.ts';
import { DEFAULT_USAGE } from '../../../src/server/usage/usage-recorder.ts';
import { type BoardReader, createBoard } from '../../../src/state/board.ts';
import type { Store } from '../../../src/store/ports.ts';

export interface ServedStore {
  port: number;
  /** An INTERNAL key. */
  key: string;
  close(): Promise<void>;
}

export async function serveStore(
  store: Store,
  clock: Clock,
  board: BoardReader = createBoard(),
): Promise<ServedStore> {
  const { key } = await createKeyService(store.keys, clock).issue({ tier: 'INTERNAL', label: 'bench' });
  const api = createApi({
    ...{ accounts: loadConfig([], {}).accounts, board, store, clock, random: createRandom(1) },
    ...{ logger: silentLogger, build: { version: '1.0.0', commit: 'bench' }, payments: null },
    walletSource: { fetchPositions: async () => [] },
    settings: {
      ...{ trustedProxyHops: 0, publishText: true, blankTextOnDeletion: false, defaultBankrollUsd: 1_000 },
      ...{ priceUsd: 0.01, limits: DEFAULT_LIMITS, bodyLimitBytes: 65_536, usage: DEFAULT_USAGE },
      webRoot: null,
    },
  });
  const { port } = await api.listen({ host: '127.0.0.1', port: 0 });
  return { port, key, close: () => api.close() };
}
