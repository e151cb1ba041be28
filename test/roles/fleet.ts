// A fleet on one PostgreSQL and one simulator: ingest processes, one of which leads, and api replicas.

import { setTimeout as wait } from 'node:timers/promises';
import { startSimulatorServer } from '../../simulator/server.ts';
import { createSimulator, type Simulator } from '../../simulator/simulator.ts';
import { createKeyService } from '../../src/access/key-service.ts';
import { DAY_MS } from '../../src/domain/units.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import type { Store } from '../../src/store/ports.ts';
import { createPlace, type StorePlace } from '../store/engines.ts';
import { waitUntil, youngAnchorTs } from '../support/boot.ts';
import { type ChildService, startService } from './child-service.ts';

const ACCOUNTS = ['a', 'b'] as const;
const COUNTS_WITHIN_MS = 60_000;

export interface Fleet {
  place: StorePlace;
  simulator: Simulator;
  store: Store;
  ingests: ChildService[];
  apis: ChildService[];
  /** Epochs of all leaders so far. */
  epochs: number[];
  /** An INTERNAL key, so that no limit interferes with the checks. */
  key: string;
  /** Starts a new process in place of one that exited. */
  replaceIngest(gone: ChildService): Promise<void>;
  stop(): Promise<void>;
}

export async function startFleet(size: { ingests: number; apis: number }): Promise<Fleet> {
  const closers: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (const close of closers.reverse()) await close();
  };
  try {
    return { ...(await compose(size, closers)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function compose(
  size: { ingests: number; apis: number },
  closers: (() => Promise<unknown>)[],
): Promise<Omit<Fleet, 'stop'>> {
  const place = await createPlace('postgres');
  closers.push(() => place.clear());
  const simulator = createSimulator({ seed: 11, anchorTs: youngAnchorTs(), clock: systemClock, faults: [] });
  const server = await startSimulatorServer(simulator);
  closers.push(() => server.close());
  const store = await place.open();
  const epochs: number[] = [];
  const env = { DATABASE_URL: place.options.databaseUrl!, SIMULATOR_URL: server.urls.base, PORT: '0' };
  let started = 0;
  async function start(role: 'ingest' | 'api'): Promise<ChildService> {
    const name = `${role}-${++started}`;
    const onLeading = (epoch: number) => void epochs.push(epoch);
    const service = await startService({ name, args: ['--role', role], env, onLeading });
    closers.push(() => service.stop());
    return service;
  }
  const startAll = (role: 'ingest' | 'api', count: number) =>
    Promise.all(Array.from({ length: count }, () => start(role)));
  const ingests = await startAll('ingest', size.ingests);
  await waitUntil(() => epochs.length > 0);
  const apis = await startAll('api', size.apis);
  const { key } = await createKeyService(store.keys, systemClock).issue({ tier: 'INTERNAL', label: 'fleet' });
  return {
    ...{ place, simulator, store, ingests, apis, epochs, key },
    async replaceIngest(gone) {
      ingests.splice(ingests.indexOf(gone), 1, await start('ingest'));
    },
  };
}

/** Waits until every replica shows events and posts of both accounts. */
export async function waitForReplicas({ apis }: Fleet): Promise<void> {
  type Health = { feeds?: Record<string, { own?: { updated_ts: number | null } }> };
  await waitUntil(async () => {
    const healths = await Promise.all(
      apis.map(async ({ url }) => (await (await fetch(`${url}/api/v1/health`)).json()) as Health),
    );
    return healths.every(({ feeds }) => ACCOUNTS.every((id) => feeds?.[`account_${id}`]?.own?.updated_ts));
  });
}

export async function waitForLeader({ ingests }: Fleet): Promise<ChildService> {
  const findLeaders = () => ingests.filter((service) => service.epoch() !== null);
  await waitUntil(() => findLeaders().length > 0);
  return findLeaders().toSorted((left, right) => right.epoch()! - left.epoch()!)[0]!;
}

export async function waitForEpochAfter({ epochs }: Fleet, epoch: number): Promise<number> {
  const find = () => epochs.find((each) => each > epoch);
  await waitUntil(() => find() !== undefined);
  return find()!;
}

/** Differences from the true counts, once every replica shows every active event's at the same time, or too late. */
export async function compareCounts(fleet: Fleet): Promise<object[]> {
  const deadlineMs = performance.now() + COUNTS_WITHIN_MS;
  for (;;) {
    const wrong = await findWrongCounts(fleet);
    if (wrong.length === 0 || performance.now() > deadlineMs) return wrong;
    await wait(500);
  }
}

async function findWrongCounts({ apis, key, simulator, store }: Fleet): Promise<object[]> {
  const shown = await Promise.all(apis.map(({ url }) => readCounters(url!, key)));
  const nowTs = simulator.now();
  const fromOracle = await listKnownFromOracle(simulator, store);
  return simulator
    .trueEvents(nowTs - 30 * DAY_MS)
    .filter(({ endTs }) => endTs > nowTs)
    .map(({ eventId, accountId, startTs, endTs, served }) => {
      const unserved = fromOracle.filter(
        (post) => post.accountId === accountId && post.createdTs >= startTs && post.createdTs < endTs,
      );
      const counts = shown.map((counters) => counters.get(eventId));
      return { eventId, expected: served + unserved.length, counts };
    })
    .filter(({ expected, counts }) => counts.some((count) => count !== expected));
}

/** Posts deleted before we saw them, known only because the oracle had counted them. */
async function listKnownFromOracle(simulator: Simulator, store: Store) {
  const nowTs = simulator.now();
  const known = await Promise.all(ACCOUNTS.map((id) => store.posts.listKnownIds(id, 0)));
  return ACCOUNTS.flatMap((accountId, i) => {
    const ids = new Set(known[i]);
    const isUnserved = (id: string, servedTs: number | null) => servedTs === null && ids.has(id);
    return simulator
      .truePosts(nowTs - 30 * DAY_MS, nowTs + 1, accountId)
      .filter(
        ({ id, isCounted, firstServedTs, importedTs }) =>
          isCounted && importedTs !== null && isUnserved(id, firstServedTs),
      );
  });
}

async function readCounters(url: string, key: string): Promise<Map<number, number>> {
  type Meta = { data?: { event_id: number; real_counter: number }[] };
  const metas = await Promise.all(
    ACCOUNTS.map(async (id) => {
      const response = await fetch(`${url}/api/v1/meta/account_${id}`, { headers: { 'X-API-Key': key } });
      return (await response.json()) as Meta;
    }),
  );
  return new Map(
    metas.flatMap(({ data = [] }) => data.map(({ event_id, real_counter }) => [event_id, real_counter])),
  );
}
