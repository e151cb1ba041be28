// What a started program uses: with nobody asking, for each request, and for each post that it captures. Ten minutes are all
// that the whole table may take, so each figure is of seconds.

import { setTimeout as wait } from 'node:timers/promises';
import type { BenchOptions } from '../core/bench.ts';
import { readCpuNs } from '../core/processes.ts';
import { median } from '../core/statistics.ts';
import { generateLoad, rawRequest } from '../load/generate.ts';
import { makePost } from '../load/make-post.ts';
import type { WholeService } from '../load/whole-service.ts';

const POST_EVERY_MS = 500;

/** On a young simulator, or on a store that knows the past, nothing is left to be brought in by then. */
export function settleMs({ isQuick }: BenchOptions): number {
  return isQuick ? 2_000 : 8_000;
}

/** Cores. */
export async function measureCpuShare(pid: number, seconds: number): Promise<number> {
  const beforeNs = readCpuNs(pid);
  const startedMs = performance.now();
  await wait(seconds * 1_000);
  return (readCpuNs(pid) - beforeNs) / 1e6 / (performance.now() - startedMs);
}

/** Asked without a pause, so that what it does beside is little of it. */
export async function measureRequestCpuUs(
  options: BenchOptions,
  { pid, port, keys }: WholeService,
  path: string,
): Promise<number> {
  const requests = [rawRequest(path, { 'X-API-Key': keys.INTERNAL })];
  const load = { port, pids: [pid], requests, connections: 8, seconds: options.isQuick ? 0.5 : 1 };
  const seen: number[] = [];
  for (let round = 0; round < (options.isQuick ? 2 : 6); round++) {
    seen.push((await generateLoad(options.scratchDir, load)).cpuUs);
  }
  return median(seen.slice(1));
}

/** Milliseconds for one, from its capture to its forecasts, less what is used without it. */
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
  // What goes on beside it may rise or fall meanwhile.
  const idleShare = (beforeShare + (await measureCpuShare(pid, seconds / 2))) / 2;
  return ((busyShare - idleShare) * (seconds + 2) * 1_000) / posts;
}
