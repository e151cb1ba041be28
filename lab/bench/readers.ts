// Measures stream fan-out of the running service: many readers of one account must receive each captured post
// quickly, at a cost that grows at most linearly with their number, in one process and over replicas.

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { SQLITE_FILE_NAME } from '../../src/store/open-store.ts';
import { youngAnchorTs } from '../../test/support/boot.ts';
import type { BenchOptions } from './core/bench.ts';
import { type BenchRow, limitRow } from './core/row.ts';
import { quantile } from './core/statistics.ts';
import { formatNumber } from './core/table.ts';
import { measureReaders, type ReaderCost, type ReaderScene } from './load/measure-readers.ts';
import { startPostgresFleet } from './load/postgres-fleet.ts';
import { startWholeService, waitUntilCaughtUp } from './load/whole-service.ts';

export const isLong = true;

/** Linear, with some room for noise. */
const MAX_EXPONENT = 1.1;
/** All clients share one address, as behind a proxy. */
const ENV = { TRUSTED_PROXY_HOPS: '1' };

export async function run(options: BenchOptions): Promise<BenchRow[]> {
  const [few, many] = options.isQuick ? [20, 200] : [1_000, 10_000];
  const alone = [await measureAlone(options, few!), await measureAlone(options, many!)];
  const replicas = [await measureReplicas(options, 1, many!), await measureReplicas(options, 2, many!)];
  return [
    ...growthRows('readers', [few!, many!], alone),
    ...growthRows('readers on one and two replicas', [many!, 2 * many!], replicas),
    ...costRows(`readers, ${many} in one process`, alone[1]!),
    ...costRows(`readers, ${2 * many!} on two replicas`, replicas[1]!),
  ];
}

function growthRows(name: string, sizes: readonly number[], costs: readonly ReaderCost[]): BenchRow[] {
  const growth = (values: readonly number[]) => Math.log(values[1]! / values[0]!);
  const at = sizes.map((size) => size.toLocaleString('en-US')).join('/');
  const row = (what: string, values: readonly number[]) =>
    limitRow(
      `${name}, ${what}: ${values.map(formatNumber).join('/')} at ${at}`,
      growth(values) / growth(sizes),
      MAX_EXPONENT,
    );
  return [
    row(
      'CPU ms per post',
      costs.map(({ cpuMsPerPost }) => cpuMsPerPost),
    ),
    row(
      'delay p99 ms',
      costs.map(({ delaysMs }) => quantile(delaysMs, 0.99)),
    ),
    row(
      'memory, MB',
      costs.map(({ addedMb }) => Math.max(1, addedMb)),
    ),
  ];
}

function costRows(name: string, cost: ReaderCost): BenchRow[] {
  const { readers, cpuMsPerPost, idleCpuMsPerS, addedMb, delaysMs, missed } = cost;
  return [
    limitRow(`${name}: CPU µs per reader and post`, (1_000 * cpuMsPerPost) / readers, 60),
    limitRow(`${name}: CPU µs per idle reader and second`, (1_000 * idleCpuMsPerS) / readers, 20),
    limitRow(`${name}: writes per idle reader and second`, cost.idleWritesPerS, 1),
    limitRow(`${name}: kB sent per reader and post`, cost.kbPerPost, 20),
    limitRow(`${name}: memory, kB per reader`, (1_024 * addedMb) / readers, 24),
    limitRow(`${name}: delay p50 ms`, quantile(delaysMs, 0.5), 500),
    limitRow(`${name}: delay p99 ms`, quantile(delaysMs, 0.99), 1_000),
    limitRow(`${name}: posts missed by any`, missed, 0.5),
  ];
}

async function measureAlone(options: BenchOptions, readers: number): Promise<ReaderCost> {
  const simulatorArgs = ['--anchor', String(youngAnchorTs())];
  const service = await startWholeService(options, { env: ENV, simulatorArgs, isAtOnce: true });
  const { pid, port, dataDir, simulatorUrl, keys } = service;
  try {
    await waitUntilCaughtUp(options, service.url, keys.INTERNAL);
    const scene: ReaderScene = {
      ...{ apis: [{ pid, port }], simulatorUrl, keys: keys.PRO },
      readCaptures: async (sinceTs) => readCaptures(dataDir, sinceTs),
    };
    return await measureRested(options, scene, readers);
  } finally {
    await service.stop();
  }
}

async function measureReplicas(
  options: BenchOptions,
  replicas: number,
  readers: number,
): Promise<ReaderCost> {
  const fleet = await startPostgresFleet(options, replicas, ENV);
  try {
    const scene: ReaderScene = {
      ...{ apis: fleet.apis, simulatorUrl: fleet.simulatorUrl, keys: fleet.keys.PRO },
      readCaptures: (sinceTs) => fleet.query<Capture>(CAPTURES.replace('?', '$1'), [sinceTs]),
    };
    return await measureRested(options, scene, readers);
  } finally {
    await fleet.stop();
  }
}

/** The backfill must be over, because its CPU would count as the readers'. */
async function measureRested(
  options: BenchOptions,
  scene: ReaderScene,
  readers: number,
): Promise<ReaderCost> {
  await wait(options.isQuick ? 4_000 : 40_000);
  return measureReaders(options, scene, readers);
}

interface Capture {
  post_id: string;
  first_seen_ts: number;
}

/** Posts of the account created since a time, with when each was first seen. */
const CAPTURES = `select post_id, first_seen_ts from posts where account_id = 'a' and created_ts >= ?`;

function readCaptures(dataDir: string, sinceTs: number): Capture[] {
  const database = new DatabaseSync(join(dataDir, SQLITE_FILE_NAME), { readOnly: true });
  const rows = database.prepare(CAPTURES).all(sinceTs) as unknown as Capture[];
  database.close();
  return rows;
}
