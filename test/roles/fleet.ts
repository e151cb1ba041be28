// A fleet on one PostgreSQL and one simulator: ingest processes, one of which leads, and api replicas.

import type { EventTruth, PostTruth } from '../../simulator/truth.ts';
import { createKeyService } from '../../src/access/key-service.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { silentLogger } from '../../src/runtime/logger.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/ports.ts';
import { waitUntil, youngAnchorTs } from '../support/boot.ts';
import { type ChildService, startService, startSimulatorProcess } from './child-service.ts';
import { type OwnPostgres, startOwnPostgres } from './own-postgres.ts';

export interface Leading {
  name: string;
  epoch: number;
}

export interface Fleet {
  postgres: OwnPostgres;
  simulatorUrl: string;
  store: Store;
  ingests: ChildService[];
  apis: ChildService[];
  leadings: Leading[];
  /** An INTERNAL key, so that no limit interferes with the checks. */
  key: string;
  leader(): ChildService | undefined;
  /** Starts a new process in place of one that exited. */
  replaceIngest(gone: ChildService): Promise<ChildService>;
  post(order: { accountId: string; kind?: string; deleteAfterMs?: number }): Promise<void>;
  truth(): Promise<{ events: EventTruth[]; posts: PostTruth[] }>;
  stop(): Promise<void>;
}

export interface FleetOptions {
  ingests: number;
  apis: number;
}

export async function startFleet(options: FleetOptions): Promise<Fleet> {
  const closers: (() => Promise<void>)[] = [];
  try {
    return await compose(options, closers);
  } catch (error) {
    for (const close of closers.reverse()) await close().catch(() => {});
    throw error;
  }
}

async function compose(options: FleetOptions, closers: (() => Promise<void>)[]): Promise<Fleet> {
  const postgres = await startOwnPostgres();
  closers.push(() => postgres.stop());
  const simulator = await startSimulatorProcess(['--seed', '11', '--anchor', String(youngAnchorTs())]);
  closers.push(() => simulator.stop());
  const store = await openStore({
    dataDir: '/nonexistent',
    databaseUrl: postgres.url,
    clock: systemClock,
    logger: silentLogger,
    poolSize: 2,
  });
  closers.push(() => store.close());
  const leadings: Leading[] = [];
  const env = {
    DATABASE_URL: postgres.url,
    SIMULATOR_URL: simulator.url,
    PORT: '0',
  };
  let started = 0;
  const start = (role: 'ingest' | 'api') =>
    startService({
      name: `${role}-${++started}`,
      args: ['--role', role],
      env,
      onLeading: ({ name }, epoch) => leadings.push({ name, epoch }),
    });
  const services: ChildService[] = [];
  closers.push(async () => void (await Promise.all(services.map((service) => service.stop()))));
  const ingests = await Promise.all(Array.from({ length: options.ingests }, () => start('ingest')));
  services.push(...ingests);
  await waitUntil(() => leadings.length > 0);
  const apis = await Promise.all(Array.from({ length: options.apis }, () => start('api')));
  services.push(...apis);
  const keyService = createKeyService(store.keys, systemClock);
  const { key } = await keyService.issue({ tier: 'INTERNAL', label: 'fleet' });
  const ask = async (path: string, init?: RequestInit) => {
    const response = await fetch(new URL(path, simulator.url), init);
    if (!response.ok) throw new Error(`simulator ${path}: ${response.status}`);
    return response.json();
  };
  return {
    postgres,
    simulatorUrl: simulator.url,
    store,
    ingests,
    apis,
    leadings,
    key,
    leader: () =>
      ingests
        .filter((service) => service.epoch() !== null)
        .sort((left, right) => right.epoch()! - left.epoch()!)[0],
    async replaceIngest(gone) {
      const fresh = await start('ingest');
      services.push(fresh);
      ingests.splice(ingests.indexOf(gone), 1, fresh);
      return fresh;
    },
    post: async (order) => void (await ask('/admin/posts', { method: 'POST', body: JSON.stringify(order) })),
    truth: () => ask('/admin/truth') as Promise<{ events: EventTruth[]; posts: PostTruth[] }>,
    async stop() {
      for (const close of closers.reverse()) await close();
    },
  };
}

/** Waits until every replica shows events and posts of both accounts. */
export async function waitForReplicas(fleet: Fleet): Promise<void> {
  await waitUntil(async () => {
    const found = await Promise.all(
      fleet.apis.flatMap(({ url }) =>
        ['account_a', 'account_b'].map(async (segment) => {
          const response = await fetch(`${url}/api/v1/health`);
          const health = (await response.json()) as {
            feeds?: Record<string, { own?: { updated_ts: number | null } }>;
          };
          return health.feeds?.[segment]?.own?.updated_ts != null;
        }),
      ),
    );
    return found.every(Boolean);
  });
}
