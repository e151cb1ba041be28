// Stream fan-out of the started program: many readers of one account must receive each captured post quickly.

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { SQLITE_FILE_NAME } from '../../src/store/open-store.ts';
import type { BenchOptions } from './core/bench.ts';
import { ask, readCpuNs, readRssMb, startScript } from './core/processes.ts';
import { type BenchRow, limitRow } from './core/row.ts';
import { median, quantile } from './core/statistics.ts';
import { makePost } from './load/make-post.ts';
import { startWholeService, type WholeService, type WholeServiceOptions } from './load/whole-service.ts';

export const about = `The program of \`npm start\` with 1,000 readers of one PRO stream (50 keys) and one post a second. Delay runs from first capture to arrival at each reader, including the durable write. All readers share one process on the other core. CPU excludes idle use. Memory growth compares the second quarter of the run with its end.`;

/** Behind a proxy all callers come from one address. */
export const MANY_READERS: WholeServiceOptions = { env: { TRUSTED_PROXY_HOPS: '1' } };

export interface StreamCost {
  delaysMs: number[];
  missed: number;
  cpuMsPerPost: number;
  /** Resident memory after each post. */
  memoryMb: number[];
}

export async function run(options: BenchOptions): Promise<BenchRow[]> {
  const readers = options.isQuick ? 100 : 1_000;
  const posts = options.isQuick ? 5 : options.isDay ? 600 : 60;
  const service = await startWholeService(options, MANY_READERS);
  try {
    const beforeMb = readRssMb(service.pid);
    const { delaysMs, missed, cpuMsPerPost, memoryMb } = await measureStream(
      options,
      service,
      readers,
      posts,
      1_000,
    );
    const settledMb = median(memoryMb.slice(Math.floor(posts / 4), Math.ceil(posts / 2)));
    const title = `stream, ${readers} readers`;
    return [
      limitRow(`${title}: delay p99 ms`, quantile(delaysMs, 0.99), 250),
      limitRow(`${title}: posts missed by a reader`, missed, 0.5),
      limitRow(`${title}: CPU ms per post`, cpuMsPerPost, 250),
      limitRow(`${title}: memory MB for them`, settledMb - beforeMb, 100),
      limitRow(
        `${title}: memory at the end / settled`,
        median(memoryMb.slice(-Math.ceil(posts / 6))) / settledMb,
        1.1,
      ),
    ];
  } finally {
    await service.stop();
  }
}

export async function measureStream(
  options: BenchOptions,
  service: WholeService,
  readers: number,
  posts: number,
  everyMs: number,
): Promise<StreamCost> {
  const { pid, port, keys } = service;
  options.say(`${readers} readers come in`);
  const client = await startScript('lab/bench/load/stream-client.ts', [
    String(port),
    '/api/v1/stream/account_a',
    String(readers),
    keys.PRO.join(),
  ]);
  try {
    const idleCpuMs = await cpuMsDuring(pid, () => wait(5 * everyMs));
    const memoryMb: number[] = [];
    const knownIds = new Set(readCaptures(service).keys());
    const cpuMs = await cpuMsDuring(pid, async () => {
      for (let i = 0; i < posts; i++) {
        if (i % 20 === 0) options.say(`post ${i + 1} of ${posts}`);
        await makePost(service.simulatorUrl);
        await wait(everyMs);
        memoryMb.push(readRssMb(pid));
      }
    });
    // The last one is captured by the next poll.
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
      memoryMb,
    };
  } finally {
    await client.stop();
  }
}

/** Posts of the account created after watching began, with the time each was first seen. */
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
