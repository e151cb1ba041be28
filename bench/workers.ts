// serve --workers 2 against --workers 1: the whole service with ingestion, keys, shared limits and usage.

import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { BenchOptions } from './core/bench.ts';
import { childrenOf, type Running, startCommand } from './core/processes.ts';
import { type BenchRow, pairedRow } from './core/row.ts';
import { generateLoad, rawRequest } from './load/generate.ts';
import { issueKeys } from './load/issue-keys.ts';

export const about = `Two whole services on one pretend world, asked in turn while the other stands still, for \`/meta\` with 200 PRO keys, so
that the limiter is at its normal limits. The generator runs on the same machine: on two cores it takes its share of what the second worker could
have, and ingestion takes some too.`;

const KEYS = 200;

interface Service extends Running<string> {
  keys: string[];
}

export async function run(options: BenchOptions): Promise<BenchRow[]> {
  const world = await startCommand(process.execPath, ['src/bin/tallycast.ts', 'world', '--seed', '5'], {
    until: /"base":"([^"]+)"/,
  });
  const services: Service[] = [];
  try {
    for (const workers of [1, 2]) services.push(await start(options, world.hello, workers));
    options.say('waiting for both to have caught up');
    await wait(options.isQuick ? 3_000 : 20_000);
    return await measure(options, services);
  } finally {
    for (const service of services) await service.stop();
    await world.stop();
  }
}

async function start(options: BenchOptions, worldUrl: string, workers: number): Promise<Service> {
  const dataDir = mkdtempSync(join(options.scratchDir, `workers-${workers}-`));
  const { PRO: keys } = await issueKeys(dataDir, KEYS);
  const running = await startCommand(
    process.execPath,
    ['bin/tallycast.mjs', 'start', '--workers', String(workers)],
    {
      env: { PORT: '0', DATA_DIR: dataDir, WORLD_URL: worldUrl, LOG_LEVEL: 'silent' },
      until: /^tallycast is up: (\S+)/,
    },
  );
  return { ...running, keys };
}

async function measure(options: BenchOptions, services: readonly Service[]): Promise<BenchRow[]> {
  const rounds = options.isQuick ? 1 : 9;
  const perSecond: number[][] = [[], []];
  const cpuUs: number[][] = [[], []];
  for (let round = -1; round < rounds; round++) {
    options.say(round < 0 ? 'warming up' : `round ${round + 1} of ${rounds}`);
    for (const [i, service] of services.entries()) {
      const others = services.filter((other) => other !== service);
      for (const other of others) signalAll(other, 'SIGSTOP');
      const seen = await generateLoad(options.scratchDir, {
        port: Number(new URL(service.hello).port),
        requests: service.keys.map((key) => rawRequest('/api/v1/meta/account_a', { 'X-API-Key': key })),
        seconds: options.isQuick ? 0.5 : 2,
        connections: 64,
        pids: [service.pid, ...childrenOf(service.pid)],
      });
      for (const other of others) signalAll(other, 'SIGCONT');
      if (round < 0) continue;
      perSecond[i]!.push(seen.perSecond);
      cpuUs[i]!.push(seen.cpuUs);
    }
  }
  return [
    pairedRow('--workers 2: requests per second vs --workers 1', perSecond[1]!, perSecond[0]!, 'more', 1.6),
    pairedRow('--workers 2: CPU µs per request vs --workers 1', cpuUs[1]!, cpuUs[0]!, 'less', 1.25),
  ];
}

/** Who is not asked stands still: a second service's own work must not be in the first one's figure. */
function signalAll({ pid }: Service, signal: 'SIGSTOP' | 'SIGCONT'): void {
  for (const each of [pid, ...childrenOf(pid)]) process.kill(each, signal);
}
