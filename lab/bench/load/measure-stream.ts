// Measures stream fan-out of a running service: many readers of one account must receive each captured post
// quickly.

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { SQLITE_FILE_NAME } from '../../../src/store/open-store.ts';
import type { BenchOptions } from '../core/bench.ts';
import { ask, readCpuNs, readRssMb, startScript } from '../core/processes.ts';
import { makePost } from './make-post.ts';
import type { WholeService, WholeServiceOptions } from './whole-service.ts';

/** All clients share one address, as behind a proxy. */
export const MANY_READERS: WholeServiceOptions = { env: { TRUSTED_PROXY_HOPS: '1' } };

export interface StreamCost {
  delaysMs: number[];
  missed: number;
  cpuMsPerPost: number;
  /** Resident memory after each post. */
  memoryMb: number[];
}

export async function measureStream(
  options: BenchOptions,
  service: WholeService,
  readers: number,
  posts: number,
  everyMs: number,
): Promise<StreamCost> {
  const { pid, port, keys } = service;
  options.say(`connecting ${readers} readers`);
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
      memoryMb,
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
