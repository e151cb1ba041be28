// CPU and memory of a running service: idle, per request, and per captured post. Each value is measured over
// seconds only, because the whole table takes up to ten minutes.

import { setTimeout as wait } from 'node:timers/promises';
import type { BenchOptions } from '../core/bench.ts';
import { readCpuNs } from '../core/processes.ts';
import { median } from '../core/statistics.ts';
import { generateLoad, rawRequest } from '../load/generate.ts';
import { makePost } from '../load/make-post.ts';
import type { WholeService } from '../load/whole-service.ts';

const POST_EVERY_MS = 500;

/** By then the backfill is complete, whether the simulator is young or the store already has history. */
export function settleMs({ isQuick }: BenchOptions): number {
  return isQuick ? 2_000 : 8_000;
}

/** Returns CPU usage in cores. */
export async function measureCpuShare(pid: number, seconds: number): Promise<number> {
  const beforeNs = readCpuNs(pid);
  const startedMs = performance.now();
  await wait(seconds * 1_000);
  return (readCpuNs(pid) - beforeNs) / 1e6 / (performance.now() - startedMs);
}

/** Sends requests without a pause and subtracts the idle background work. */
export async function measureRequestCpuUs(
  options: BenchOptions,
  { pid, port, keys }: WholeService,
  path: string,
): Promise<number> {
  const requests = [rawRequest(path, { 'X-API-Key': keys.INTERNAL })];
  const load = { port, pids: [pid], requests, connections: 8, seconds: options.isQuick ? 0.5 : 1 };
  const idleShare = await measureCpuShare(pid, options.isQuick ? 1 : 10);
  const seen: number[] = [];
  for (let round = 0; round < (options.isQuick ? 2 : 6); round++) {
    const { cpuUs, perSecond } = await generateLoad(options.scratchDir, load);
    seen.push(cpuUs - (1e6 * idleShare) / perSecond);
  }
  return median(seen.slice(1));
}

/** Milliseconds per post, from capture to forecasts, minus the idle cost. */
export async function measureCaptureCpuMs(
  options: BenchOptions,
  { pid, simulatorUrl }: WholeService,
): Promise<number> {
  const posts = options.isQuick ? 4 : 20;
  const seconds = (posts * POST_EVERY_MS) / 1_000;
  const beforeShare = await measureCpuShare(pid, seconds / 2);
  const busy = measureCpuShare(pid, seconds + 2);
  for (let i = 0; i < posts; i++) {
    await makePost(simulatorUrl);
    await wait(POST_EVERY_MS);
  }
  const busyShare = await busy;
  const idleShare = (beforeShare + (await measureCpuShare(pid, seconds / 2))) / 2;
  return ((busyShare - idleShare) * (seconds + 2) * 1_000) / posts;
}
