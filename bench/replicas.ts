// What one more api replica costs on one PostgreSQL: processor time of the replicas, of the database and of the process that
// ingests, and connections.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { type Fleet, startFleet, waitForReplicas } from '../test/roles/fleet.ts';
import type { BenchOptions } from './core/bench.ts';
import { ROOT, readFamilyCpuMs } from './core/processes.ts';
import { type BenchRow, limitRow, pairedRow } from './core/row.ts';
import { generateLoad, offerLoad, rawRequest } from './load/generate.ts';
import { listMixedPaths } from './load/mixed-requests.ts';

export const about = `Fleets of one ingest process and 1, 2 and 4 api replicas on a PostgreSQL of their own, every replica asked over 4 connections
for the mix of the overload bench with PRO keys, so that limits are asked of the database. All processes, the database, the
pretend world and the generators share the machine: on two cores requests per second cannot grow. So the processor time
per request is taken at one rate for all fleets, half of what one replica serves, spread over the replicas; that of the idle
fleet is shown beside it and taken out.`;

export const isLong = true;

const PAGE = join(ROOT, 'docs/operations.md');
const KEYS = 40;
const CONNECTIONS_PER_REPLICA = 4;
/** Ten of a pool, one to listen and one to lead, and two in all that this bench holds itself. */
const MOST_DATABASE_CONNECTIONS = 13;

type Part = 'api' | 'database' | 'leader';

interface Cost {
  replicas: number;
  perSecond: number;
  /** CPU milliseconds per 1,000 requests. */
  apiMs: number;
  databaseMs: number;
  leaderMs: number;
  /** CPU milliseconds per second with nobody asking. */
  idleDatabaseMs: number;
  idleLeaderMs: number;
  idleApiMs: number;
  connections: number;
}

export async function run(options: BenchOptions): Promise<BenchRow[]> {
  const costs: Cost[] = [];
  for (const replicas of options.isQuick ? [1, 2] : [1, 2, 4]) {
    options.say(`${replicas} api replicas`);
    const fleet = await startFleet({ ingests: 1, apis: replicas, env: { LOG_LEVEL: 'info' } });
    try {
      await waitForReplicas(fleet);
      // History and first fits belong to the start, not to the cost of running.
      await wait(options.isQuick ? 1_000 : 20_000);
      costs.push(await measure(options, fleet, costs[0]?.perSecond));
    } finally {
      await fleet.stop();
    }
  }
  const table = formatCosts(costs);
  for (const line of table) options.say(line);
  if (options.isWritten) writeTable(table);
  return toRows(costs);
}

function toRows(costs: readonly Cost[]): BenchRow[] {
  const [one, ...more] = costs as [Cost, ...Cost[]];
  const whole = ({ apiMs, databaseMs, leaderMs }: Cost) => apiMs + databaseMs + leaderMs;
  return [
    ...more.map((cost) =>
      pairedRow(
        `${cost.replicas} api replicas: CPU ms per 1,000 requests, all processes, vs 1`,
        [whole(cost)],
        [whole(one)],
        'less',
        1.5,
      ),
    ),
    ...costs.map(({ replicas, connections }) =>
      limitRow(
        `${replicas} api replicas: database connections per process`,
        connections / (replicas + 1),
        MOST_DATABASE_CONNECTIONS,
      ),
    ),
  ];
}

function writeTable(lines: readonly string[]): void {
  const page = readFileSync(PAGE, 'utf8');
  const marked = /<!-- replicas -->\n[\s\S]*?<!-- \/replicas -->/;
  writeFileSync(PAGE, page.replace(marked, `<!-- replicas -->\n${lines.join('\n')}\n<!-- /replicas -->`));
}

function formatCosts(costs: readonly Cost[]): string[] {
  return [
    '| api replicas | requests/s | CPU ms per 1,000 requests: api | PostgreSQL | leader | idle CPU ms/s: api | PostgreSQL | leader | connections |',
    '|---|--:|--:|--:|--:|--:|--:|--:|--:|',
    ...costs.map((cost) =>
      [
        '',
        cost.replicas,
        Math.round(cost.perSecond),
        Math.round(cost.apiMs),
        Math.round(cost.databaseMs),
        Math.round(cost.leaderMs),
        cost.idleApiMs.toFixed(0),
        cost.idleDatabaseMs.toFixed(0),
        cost.idleLeaderMs.toFixed(0),
        cost.connections,
        '',
      ]
        .join(' | ')
        .trim(),
    ),
  ];
}

async function measure(options: BenchOptions, fleet: Fleet, oneServes?: number): Promise<Cost> {
  const seconds = options.isQuick ? 3 : 20;
  const issued = await Promise.all(Array.from({ length: KEYS }, () => fleet.issueKey('PRO')));
  const requests = listRequests(issued.map(({ key }) => key));
  await serveAll(options, fleet, requests, seconds / 2);
  const perSecond = (await serveAll(options, fleet, requests, seconds / 2)) / (seconds / 2);
  const readings = createReadings(fleet);
  const idle = await readings.during(() => wait(seconds * 1_000));
  const busy = await readings.during(() =>
    offerToAll(options, fleet, requests, seconds, (oneServes ?? perSecond) / 2),
  );
  const idleMs = (who: Part) => idle[who] / idle.tookS;
  const perThousand = (who: Part) =>
    (1_000 * Math.max(0, busy[who] - idleMs(who) * busy.tookS)) / busy.result;
  return {
    replicas: fleet.apis.length,
    perSecond,
    apiMs: perThousand('api'),
    databaseMs: perThousand('database'),
    leaderMs: perThousand('leader'),
    idleApiMs: idleMs('api'),
    idleDatabaseMs: idleMs('database'),
    idleLeaderMs: idleMs('leader'),
    connections: await countConnections(fleet),
  };
}

/** Usage is for INTERNAL keys. */
function listRequests(keys: readonly string[]): string[] {
  const paths = listMixedPaths().filter((path) => !path.startsWith('/usage/'));
  return paths.map((path, i) => rawRequest(`/api/v1${path}`, { 'X-API-Key': keys[i % keys.length]! }));
}

/** Every replica asked as fast as it answers; requests that were answered. */
async function serveAll(
  options: BenchOptions,
  fleet: Fleet,
  requests: readonly string[],
  seconds: number,
): Promise<number> {
  const load = { requests, connections: CONNECTIONS_PER_REPLICA, seconds };
  const seen = await Promise.all(
    listPorts(fleet).map((port) => generateLoad(options.scratchDir, { ...load, port })),
  );
  return seen.reduce((sum, result) => sum + result.requests, 0);
}

/** One rate, spread over the replicas; requests that were answered well. */
async function offerToAll(
  options: BenchOptions,
  fleet: Fleet,
  requests: readonly string[],
  seconds: number,
  totalPerSecond: number,
): Promise<number> {
  const perSecond = totalPerSecond / fleet.apis.length;
  const load = { requests, connections: CONNECTIONS_PER_REPLICA, seconds, perSecond };
  const seen = await Promise.all(
    listPorts(fleet).map((port) => offerLoad(options.scratchDir, { ...load, port })),
  );
  return seen.reduce((sum, { good }) => sum + good, 0);
}

function listPorts(fleet: Fleet): number[] {
  return fleet.apis.map(({ url }) => Number(new URL(url!).port));
}

/** CPU milliseconds that each part of the fleet used while something went on. */
function createReadings(fleet: Fleet) {
  const sum = (pids: readonly number[]) => pids.reduce((total, pid) => total + readFamilyCpuMs(pid), 0);
  const read = () => ({
    api: sum(fleet.apis.map(({ child }) => child.pid!)),
    database: readFamilyCpuMs(fleet.postgres.pid()),
    leader: sum([fleet.leader()!.child.pid!]),
  });
  return {
    async during<T>(action: () => Promise<T>) {
      const before = read();
      const startedMs = performance.now();
      const result = await action();
      const tookS = (performance.now() - startedMs) / 1_000;
      const after = read();
      return {
        result,
        tookS,
        api: after.api - before.api,
        database: after.database - before.database,
        leader: after.leader - before.leader,
      };
    },
  };
}

/** All but this question's own. */
async function countConnections(fleet: Fleet): Promise<number> {
  const client = new pg.Client({ connectionString: fleet.postgres.url, application_name: 'replicas-bench' });
  await client.connect();
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity
     where backend_type = 'client backend' and application_name <> 'replicas-bench'`,
  );
  await client.end();
  return rows[0]!.count;
}
