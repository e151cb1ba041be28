// Measures stream fan-out of the running service: many readers of one account must receive each captured post
// quickly, and the cost may grow at most linearly with their number.

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { SQLITE_FILE_NAME } from '../../src/store/open-store.ts';
import { youngAnchorTs } from '../../test/support/boot.ts';
import type { BenchOptions } from './core/bench.ts';
import { ask, readCpuNs, readRssMb, startScript } from './core/processes.ts';
import { type BenchRow, limitRow } from './core/row.ts';
import { median, quantile } from './core/statistics.ts';
import { formatNumber } from './core/table.ts';
import { makePost, startWholeService, type WholeService, waitUntilCaughtUp } from './load/whole-service.ts';

export const isLong = true;

/** With ten thousand readers each post means writing some hundred megabytes. */
const POST_EVERY_MS = 3_000;
/** Linear, with some room for noise. */
const MAX_EXPONENT = 1.1;

interface StreamCost {
  delaysMs: number[];
  missed: number;
  cpuMsPerPost: number;
  addedMb: number;
}

export async function run(options: BenchOptions): Promise<BenchRow[]> {
  const sizes = options.isQuick ? [20, 200] : [1_000, 10_000];
  const costs: StreamCost[] = [];
  for (const readers of sizes) {
    const service = await startWholeService(options, {
      // All clients share one address, as behind a proxy.
      env: { TRUSTED_PROXY_HOPS: '1' },
      simulatorArgs: ['--anchor', String(youngAnchorTs())],
      isAtOnce: true,
    });
    try {
      await waitUntilCaughtUp(options, service.url, service.keys.INTERNAL);
      await wait(options.isQuick ? 4_000 : 40_000);
      costs.push(await measureStream(options, service, readers));
    } finally {
      await service.stop();
    }
  }
  const row = (what: string, pick: (cost: StreamCost) => number) =>
    growthRow(`readers, ${what}`, sizes, costs.map(pick));
  return [
    row('CPU ms per post', ({ cpuMsPerPost }) => cpuMsPerPost),
    row('delay p99 ms', ({ delaysMs }) => quantile(delaysMs, 0.99)),
    row('memory, MB', ({ addedMb }) => Math.max(1, addedMb)),
    limitRow(`readers, posts missed by any of ${sizes.at(-1)}`, costs.at(-1)!.missed, 0.5),
  ];
}

function growthRow(name: string, sizes: readonly number[], costs: readonly number[]): BenchRow {
  const growth = (values: readonly number[]) => Math.log(values.at(-1)! / values.at(-2)!);
  const at = sizes.map((size) => size.toLocaleString('en-US')).join('/');
  const title = `${name}: ${costs.map(formatNumber).join('/')} at ${at}`;
  return limitRow(title, growth(costs) / growth(sizes), MAX_EXPONENT);
}

async function measureStream(
  options: BenchOptions,
  service: WholeService,
  readers: number,
): Promise<StreamCost> {
  const { pid, port, keys } = service;
  const posts = options.isQuick ? 2 : 10;
  const beforeMb = readRssMb(pid);
  options.say(`connecting ${readers} readers`);
  const client = await startScript('lab/bench/load/stream-client.ts', [
    String(port),
    '/api/v1/stream/account_a',
    String(readers),
    keys.PRO.join(),
  ]);
  try {
    const idleCpuMs = await cpuMsDuring(pid, () => wait(5 * POST_EVERY_MS));
    const memoryMb: number[] = [];
    const knownIds = new Set(readCaptures(service).keys());
    const cpuMs = await cpuMsDuring(pid, async () => {
      for (let i = 0; i < posts; i++) {
        await makePost(service.simulatorUrl);
        await wait(POST_EVERY_MS);
        memoryMb.push(readRssMb(pid));
      }
    });
    // The last post is captured by the next poll.
    await wait(3_000);
    const seen = await ask<{ arrivals: [string, number[]][]; lost: number }>(client, { kind: 'tell' });
    const captures = [...readCaptures(service)].filter(([postId]) => !knownIds.has(postId));
    const arrivals = new Map(seen.arrivals);
    const delaysMs = captures.flatMap(([postId, capturedTs]) =>
      (arrivals.get(postId) ?? []).map((atMs) => atMs - capturedTs),
    );
    return {
      delaysMs,
      missed: readers * captures.length - delaysMs.length + seen.lost,
      cpuMsPerPost: (cpuMs - (idleCpuMs * posts) / 5) / captures.length,
      addedMb: median(memoryMb) - beforeMb,
    };
  } finally {
    await client.stop();
  }
}

/** Posts of the account created since the start, with the time each was first seen. */
function readCaptures({ dataDir, startedTs }: WholeService): Map<string, number> {
  const database = new DatabaseSync(join(dataDir, SQLITE_FILE_NAME), { readOnly: true });
  const rows = database
    .prepare(`select post_id, first_seen_ts from posts where account_id = 'a' and created_ts >= ?`)
    .all(startedTs) as { post_id: string; first_seen_ts: number }[];
  database.close();
  return new Map(rows.map((row) => [row.post_id, row.first_seen_ts]));
}

async function cpuMsDuring(pid: number, action: () => Promise<unknown>): Promise<number> {
  const beforeNs = readCpuNs(pid);
  await action();
  return (readCpuNs(pid) - beforeNs) / 1e6;
}
