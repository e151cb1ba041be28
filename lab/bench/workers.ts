// Compares serve --workers 2 with --workers 1, each process pinned to given cores, and measures how the first
// process's work affects response times of the workers.

import { execFileSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import type { BenchOptions } from './core/bench.ts';
import { childrenOf, hasCommand } from './core/processes.ts';
import { type BenchRow, limitRow, pairedRow } from './core/row.ts';
import { median } from './core/statistics.ts';
import { generateLoad, type Load, offerLoad, rawRequest } from './load/generate.ts';
import { makePost } from './load/make-post.ts';
import { startWholeService, type WholeService } from './load/whole-service.ts';

const KEYS = 1_000;

export const about = `One worker on one core, then two on two cores, serving \`/meta\` to 1,000 PRO keys. p99 is measured at half the two-worker rate while the first process captures and forecasts two posts per second.`;

const PATH = '/api/v1/meta/account_a';
const CONNECTIONS = 64;
const POST_EVERY_MS = 500;
/** The same limit as for a process without workers. */
const P99_MS = 30;
/** The C generator opens its connections, then waits a second. */
const STAND_STILL_AFTER_MS = 500;

interface Pinned extends WholeService {
  cores: string;
  generatorCore: number;
}

export async function run(options: BenchOptions): Promise<BenchRow[]> {
  const services: Pinned[] = [];
  try {
    for (const workers of [1, 2]) services.push(await start(options, workers));
    const [one, two] = services as [Pinned, Pinned];
    return [...(await compareCost(options, one, two)), ...(await measureLeaderWork(options, one, two))];
  } finally {
    for (const service of services) await service.stop();
  }
}

async function start(options: BenchOptions, workers: number): Promise<Pinned> {
  const service = await startWholeService(options, { proKeys: KEYS, args: ['--workers', String(workers)] });
  const cores = workers === 1 ? '0' : '0,1';
  const generatorCore = Math.min(workers, availableParallelism() - 1);
  for (const pid of listProcesses(service)) pin(options, pid, cores);
  return { ...service, cores, generatorCore };
}

function pin(options: BenchOptions, pid: number, cores: string): void {
  if (hasCommand('taskset')) execFileSync('taskset', ['-a', '-c', '-p', cores, String(pid)]);
  else options.note('taskset is not installed: processes were not pinned');
}

function listProcesses({ pid }: WholeService): number[] {
  return [pid, ...childrenOf(pid)];
}

async function compareCost(options: BenchOptions, one: Pinned, two: Pinned): Promise<BenchRow[]> {
  const rounds = options.isQuick ? 1 : 7;
  const cpuUs: [number[], number[]] = [[], []];
  for (let round = -1; round < rounds; round++) {
    options.say(round < 0 ? 'warming up' : `cost: round ${round + 1} of ${rounds}`);
    const seen = [];
    for (const [asked, other] of [
      [one, two],
      [two, one],
    ] as const) {
      const load = { ...loadOf(asked), pids: listProcesses(asked), seconds: options.isQuick ? 0.5 : 2 };
      seen.push(await whileStopped(listAll(other), () => generateLoad(options.scratchDir, load)));
    }
    if (round >= 0) for (const side of [0, 1] as const) cpuUs[side].push(seen[side]!.cpuUs);
  }
  return [pairedRow('--workers 2 vs. 1: CPU µs', cpuUs[1], cpuUs[0], 'less', 1.1)];
}

async function measureLeaderWork(options: BenchOptions, one: Pinned, two: Pinned): Promise<BenchRow[]> {
  const rounds = options.isQuick ? 1 : 7;
  const seconds = options.isQuick ? 1 : 4;
  return whileStopped(listAll(one), async () => {
    const most = await generateLoad(options.scratchDir, { ...loadOf(two), seconds: 2 });
    const load = { ...loadOf(two), seconds, perSecond: most.perSecond / 2 };
    const paused = { ...load, requests: [rawRequest(PATH, { 'X-API-Key': two.keys.INTERNAL })] };
    const p99Ms = { working: [] as number[], workingForKeys: [] as number[], paused: [] as number[] };
    for (let round = 0; round < rounds; round++) {
      options.say(`first process busy: round ${round + 1} of ${rounds}`);
      const posting = keepPosting(two.simulatorUrl, POST_EVERY_MS);
      p99Ms.workingForKeys.push((await offerLoad(options.scratchDir, load)).p99Ms);
      p99Ms.working.push((await offerLoad(options.scratchDir, paused)).p99Ms);
      await posting.stop();
      const offered = offerLoad(options.scratchDir, paused);
      await wait(STAND_STILL_AFTER_MS);
      p99Ms.paused.push((await whileStopped([two.pid], () => offered)).p99Ms);
      // Lets the first process catch up on posts made in the meantime.
      await wait(1_000);
    }
    options.note(`workers: p99 ${median(p99Ms.paused).toFixed(2)} ms while the first process is paused`);
    return [
      limitRow('2 workers, busy first process, INTERNAL key: p99 ms', median(p99Ms.working), P99_MS),
      limitRow('2 workers, busy first process, PRO keys: p99 ms', median(p99Ms.workingForKeys), P99_MS),
    ];
  });
}

function loadOf({ port, keys, generatorCore }: Pinned): Omit<Load, 'seconds'> {
  const requests = keys.PRO.map((key) => rawRequest(PATH, { 'X-API-Key': key }));
  return { port, requests, connections: CONNECTIONS, core: generatorCore };
}

/** The service's processes and its simulator. */
function listAll(service: Pinned): number[] {
  return [...listProcesses(service), service.simulatorPid];
}

/** Pauses the other, idle service, so that its work does not affect the result. */
async function whileStopped<T>(pids: readonly number[], action: () => Promise<T>): Promise<T> {
  for (const pid of pids) process.kill(pid, 'SIGSTOP');
  try {
    return await action();
  } finally {
    for (const pid of pids) process.kill(pid, 'SIGCONT');
  }
}

function keepPosting(simulatorUrl: string, everyMs: number): { stop(): Promise<void> } {
  let isStopped = false;
  const posting = (async () => {
    while (!isStopped) {
      await makePost(simulatorUrl);
      await wait(everyMs);
    }
  })();
  return {
    stop() {
      isStopped = true;
      return posting;
    },
  };
}
