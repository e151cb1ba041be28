// Connects readers to every API process, makes posts, and measures what the readers cost and how late they are.

import { setTimeout as wait } from 'node:timers/promises';
import type { BenchOptions } from '../core/bench.ts';
import { ask, type Running, readCpuNs, readRssMb, startScript } from '../core/processes.ts';
import { median } from '../core/statistics.ts';
import type { PostgresFleet } from './postgres-fleet.ts';
import { makePost } from './whole-service.ts';

export interface ReaderCost {
  readers: number;
  /** From capture to arrival at a reader. */
  delaysMs: number[];
  missed: number;
  /** Of all API processes together, without what they use between posts. */
  cpuMsPerPost: number;
  kbPerPost: number;
  /** Without what the processes use before readers connect. */
  idleCpuMsPerS: number;
  idleWritesPerS: number;
  addedMb: number;
  /** Of all connections together. */
  connectCpuMs: number;
}

/** With ten thousand readers each post means writing some hundred megabytes. */
const POST_EVERY_MS = 3_000;

interface Seen {
  arrivals: [string, number[]][];
  lost: number;
  reads: number;
  bytes: number;
}

export async function measureReaders(
  options: BenchOptions,
  fleet: PostgresFleet,
  apis: PostgresFleet['apis'],
  readersEach: number,
): Promise<ReaderCost> {
  const posts = options.isQuick ? 2 : 10;
  const idleS = options.isQuick ? 3 : 15;
  const cpuMs = () => apis.reduce((sum, { pid }) => sum + readCpuNs(pid) / 1e6, 0);
  const rssMb = () => apis.reduce((sum, { pid }) => sum + readRssMb(pid), 0);
  const beforeMb = rssMb();
  const beforeCpuMs = await during(cpuMs, () => wait(idleS * 1_000));
  options.say(`connecting ${readersEach} readers to each of ${apis.length}`);
  const clients: Running<unknown>[] = [];
  const connectCpuMs = await during(cpuMs, async () => {
    for (const { port } of apis) clients.push(await connect(port, readersEach, fleet.keys.PRO));
  });
  const readers = readersEach * apis.length;
  const look = async () => add(await Promise.all(clients.map((each) => ask<Seen>(each, { kind: 'tell' }))));
  try {
    await wait(2_000);
    const start = await look();
    const idleCpuMs = await during(cpuMs, () => wait(idleS * 1_000));
    const idle = await look();
    const sinceTs = Date.now();
    const memoryMb: number[] = [];
    const busyMs = await during(cpuMs, async () => {
      for (let i = 0; i < posts; i++) {
        await makePost(fleet.simulatorUrl);
        await wait(POST_EVERY_MS);
        memoryMb.push(rssMb());
      }
    });
    // The last post is captured by the next poll.
    await wait(3_000);
    const seen = await look();
    const captures = await fleet.query<Capture>(CAPTURES, [sinceTs]);
    const arrivals = new Map<string, number[]>();
    for (const [id, times] of seen.arrivals) arrivals.set(id, [...(arrivals.get(id) ?? []), ...times]);
    const delaysMs = captures.flatMap((post) =>
      (arrivals.get(post.post_id) ?? []).map((atMs) => atMs - Number(post.first_seen_ts)),
    );
    const busyS = (posts * POST_EVERY_MS) / 1_000;
    const idleBytesPerS = (idle.bytes - start.bytes) / idleS;
    return {
      ...{ readers, delaysMs, connectCpuMs, addedMb: median(memoryMb) - beforeMb },
      missed: readers * captures.length - delaysMs.length + seen.lost,
      cpuMsPerPost: (busyMs - (idleCpuMs * busyS) / idleS) / captures.length,
      kbPerPost: (seen.bytes - idle.bytes - idleBytesPerS * (busyS + 3)) / 1_024 / readers / captures.length,
      idleCpuMsPerS: (idleCpuMs - beforeCpuMs) / idleS,
      idleWritesPerS: (idle.reads - start.reads) / idleS / readers,
    };
  } finally {
    await Promise.all(clients.map((client) => client.stop()));
  }
}

interface Capture {
  post_id: string;
  first_seen_ts: string;
}

/** Posts of the account created since a time, with when each was first seen. */
const CAPTURES = `select post_id, first_seen_ts from posts where account_id = 'a' and created_ts >= $1`;

/** One client process per API process, because each may open only so many files. */
function connect(port: number, readers: number, keys: readonly string[]): Promise<Running<unknown>> {
  const args = [String(port), '/api/v1/stream/account_a', String(readers), keys.join()];
  return startScript('lab/bench/load/stream-client.ts', args);
}

function add(all: readonly Seen[]): Seen {
  const sum = (pick: (seen: Seen) => number) => all.reduce((total, seen) => total + pick(seen), 0);
  return {
    arrivals: all.flatMap(({ arrivals }) => arrivals),
    lost: sum(({ lost }) => lost),
    reads: sum(({ reads }) => reads),
    bytes: sum(({ bytes }) => bytes),
  };
}

async function during(read: () => number, action: () => Promise<unknown>): Promise<number> {
  const before = read();
  await action();
  return read() - before;
}
