// Measures the cost of each API replica on PostgreSQL: CPU time of replicas, database and leader, and database
// connections.

import { setTimeout as wait } from 'node:timers/promises';
import type { BenchOptions } from './core/bench.ts';
import { readFamilyCpuMs, startCommand } from './core/processes.ts';
import { type BenchRow, limitRow } from './core/row.ts';
import { generateLoad, offerLoad, rawRequest } from './load/generate.ts';
import { listMixedPaths } from './load/mixed-requests.ts';
import { type PostgresFleet, startPostgresFleet } from './load/postgres-fleet.ts';
import { restMs, waitUntilCaughtUp } from './load/whole-service.ts';

const KEYS = 499;

export const isLong = true;

const CONNECTIONS = 16;
/** Ten in the pool, one to listen and one for leadership. */
const MAX_DATABASE_CONNECTIONS = 12;
/** A tenth of a core per idle replica. */
const REPLICA_AT_REST_MS = 100;

/** /usage needs an INTERNAL key. */
const PATHS = listMixedPaths().filter((path) => !path.startsWith('/usage/'));

interface Cost {
  replicas: number;
  perSecond: number;
  /** CPU milliseconds per 1,000 requests. */
  apiMs: number;
  databaseMs: number;
  leaderMs: number;
  /** CPU milliseconds per second without requests. */
  idleApiMs: number;
  idleDatabaseMs: number;
  idleLeaderMs: number;
  connections: number;
}

export async function run(options: BenchOptions): Promise<BenchRow[]> {
  const simulatorCommand = ['bin/tallycast.mjs', 'simulator', '--seed', '5'];
  const simulator = await startCommand(process.execPath, simulatorCommand, { until: /"base":"([^"]+)"/ });
  try {
    const fleet = await startPostgresFleet(simulator.hello, KEYS);
    try {
      return await measureGrowth(options, fleet);
    } finally {
      await fleet.stop();
    }
  } finally {
    await simulator.stop();
  }
}

async function measureGrowth(options: BenchOptions, fleet: PostgresFleet): Promise<BenchRow[]> {
  const costs: Cost[] = [];
  for (const replicas of options.isQuick ? [1, 2] : [1, 2, 4]) {
    options.say(`${replicas} api replicas`);
    while (fleet.apis.length < replicas) await addWarmReplica(options, fleet);
    await wait(restMs(options) / 4);
    costs.push(await measureFleet(options, fleet, costs[0]?.perSecond));
  }
  const table = formatCosts(costs);
  for (const line of table) options.say(line);
  const [one, ...more] = costs as [Cost, ...Cost[]];
  const atRest = ({ idleApiMs, idleDatabaseMs, idleLeaderMs }: Cost) =>
    idleApiMs + idleDatabaseMs + idleLeaderMs;
  return [
    ...more.map((cost) =>
      limitRow(
        `${cost.replicas} api replicas: idle CPU ms/s per extra replica`,
        (atRest(cost) - atRest(one)) / (cost.replicas - one.replicas),
        REPLICA_AT_REST_MS,
      ),
    ),
    ...costs.map(({ replicas, connections }) =>
      limitRow(
        `${replicas} api replicas: database connections per process`,
        connections / (replicas + 1),
        MAX_DATABASE_CONNECTIONS,
      ),
    ),
  ];
}

/**
 * Warms up the new replica, which would otherwise be slower than the first: that one has already served a
 * hundred thousand requests.
 */
async function addWarmReplica(options: BenchOptions, fleet: PostgresFleet): Promise<void> {
  const { port, url } = await fleet.addReplica();
  await waitUntilCaughtUp(options, url, fleet.proKeys[0]!);
  const requests = listRequests(fleet.proKeys);
  const seconds = options.isQuick ? 2 : 12;
  await generateLoad(options.scratchDir, { port, requests, connections: CONNECTIONS, seconds });
}

function formatCosts(costs: readonly Cost[]): string[] {
  const toLine = (cost: Cost) => [
    cost.replicas,
    Math.round(cost.perSecond),
    Math.round(cost.apiMs),
    Math.round(cost.databaseMs),
    Math.round(cost.leaderMs),
    Math.round(cost.idleApiMs),
    Math.round(cost.idleDatabaseMs),
    Math.round(cost.idleLeaderMs),
    cost.connections,
  ];
  return [
    '| api replicas | requests/s | CPU ms per 1,000 requests: api | PostgreSQL | leader | idle CPU ms/s: api | PostgreSQL | leader | connections |',
    '|---|--:|--:|--:|--:|--:|--:|--:|--:|',
    ...costs.map((cost) => `| ${toLine(cost).join(' | ')} |`),
  ];
}

async function measureFleet(options: BenchOptions, fleet: PostgresFleet, oneServes?: number): Promise<Cost> {
  const seconds = options.isQuick ? 1 : 10;
  const requests = listRequests(fleet.proKeys);
  const ports = fleet.apis.map(({ port }) => port);
  const connections = CONNECTIONS / 4;
  const askAll = (forS: number) =>
    Promise.all(
      ports.map((port) => generateLoad(options.scratchDir, { port, requests, connections, seconds: forS })),
    );
  await askAll(seconds / 5);
  const perSecond = (await askAll(seconds / 2)).reduce((sum, seen) => sum + seen.perSecond, 0);
  const each = (oneServes ?? perSecond) / 2 / ports.length;
  const pids = {
    database: fleet.databasePid,
    leader: fleet.leaderPid,
    ...Object.fromEntries(fleet.apis.map(({ pid }, i) => [`api${i}`, pid])),
  };
  const idle = await during(pids, () => wait(seconds * 1_000));
  const busy = await during(pids, () =>
    Promise.all(
      ports.map((port) =>
        offerLoad(options.scratchDir, { port, requests, connections, seconds, perSecond: each }),
      ),
    ),
  );
  const answered = busy.result.reduce((sum, { good }) => sum + good, 0);
  const sum = (used: Readonly<Record<string, number>>, part: string) =>
    Object.entries(used).reduce((total, [name, ms]) => total + (name.startsWith(part) ? ms : 0), 0);
  const idleMs = (part: string) => sum(idle.usedMs, part) / idle.tookS;
  const perThousand = (part: string) =>
    (1_000 * Math.max(0, sum(busy.usedMs, part) - idleMs(part) * busy.tookS)) / answered;
  return {
    replicas: ports.length,
    perSecond,
    apiMs: perThousand('api'),
    databaseMs: perThousand('database'),
    leaderMs: perThousand('leader'),
    idleApiMs: idleMs('api'),
    idleDatabaseMs: idleMs('database'),
    idleLeaderMs: idleMs('leader'),
    connections: await fleet.countConnections(),
  };
}

/** Every key eventually requests every path. */
function listRequests(keys: readonly string[]): string[] {
  return Array.from({ length: PATHS.length * 10 }, (_, i) =>
    rawRequest(`/api/v1${PATHS[i % PATHS.length]!}`, { 'X-API-Key': keys[i % keys.length]! }),
  );
}

/** CPU milliseconds each process, including children, spent while `work` ran. */
async function during<Name extends string, T>(
  pids: Readonly<Record<Name, number>>,
  action: () => Promise<T>,
): Promise<{ result: T; tookS: number; usedMs: Record<Name, number> }> {
  const names = Object.keys(pids) as Name[];
  const read = () => names.map((name) => readFamilyCpuMs(pids[name]));
  const before = read();
  const startedMs = performance.now();
  const result = await action();
  const tookS = (performance.now() - startedMs) / 1_000;
  const after = read();
  const used = names.map((name, i) => [name, after[i]! - before[i]!]);
  return { result, tookS, usedMs: Object.fromEntries(used) as Record<Name, number> };
}
