// Every bench by name, in page order; and the long scenarios, run only when named.

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as capture from './capture.ts';
import * as cli from './cli.ts';
import type { Bench } from './core/bench.ts';
import { ROOT } from './core/processes.ts';
import type { BenchRow } from './core/row.ts';
import * as firstMinute from './first-minute.ts';
import * as forecast from './forecast.ts';
import * as growth from './growth.ts';
import * as historyYear from './history-year.ts';
import * as hot from './hot.ts';
import * as limiter from './limiter.ts';
import * as memory from './memory.ts';
import * as overload from './overload.ts';
import * as replicas from './replicas.ts';
import * as soak from './soak.ts';
import * as startUp from './start-up.ts';
import * as whatIf from './what-if.ts';
import * as workers from './workers.ts';

const FORECAST_ABOUT = `The forecaster alone, on two years of a synthetic busy account: one event, all events of both accounts, all events of one
account after a post, a refit from two years, and a backtest of a year at eight leads with every member (a month, scaled).
The baseline of each is its promised limit.`;

export const BENCHES: readonly Bench[] = [
  { name: 'hot', ...hot },
  { name: 'workers', ...workers },
  { name: 'capture', ...capture },
  { name: 'forecast', about: FORECAST_ABOUT, run: () => forecast.run() },
  { name: 'start-up', ...startUp },
  { name: 'first-minute', ...firstMinute },
  { name: 'cli', ...cli },
  { name: 'limiter', ...limiter },
  { name: 'memory', ...memory },
  { name: 'overload', ...overload },
  { name: 'soak', ...soak },
  { name: 'replicas', ...replicas },
  { name: 'what-if', ...whatIf },
  { name: 'history-year', ...historyYear },
  { name: 'growth', ...growth },
];

/** Separate commands that exit with 0 if nothing is broken. */
export const PROOFS: readonly { name: string; script: string }[] = [
  { name: 'roles', script: 'lab/bench/roles.ts' },
  { name: 'fuzz', script: 'lab/bench/fuzz.ts' },
  { name: 'fuzz-http', script: 'lab/bench/fuzz-http.ts' },
  { name: 'durability', script: 'lab/bench/prove-durability.ts' },
  { name: 'disk-full', script: 'lab/bench/prove-disk-full.ts' },
  { name: 'page', script: 'lab/bench/page.ts' },
];

export function findBench(name: string): Bench | undefined {
  return BENCHES.find((bench) => bench.name === name);
}

/** Its output goes to the progress stream, so that only the table is on stdout. */
export async function runProof(name: string): Promise<BenchRow> {
  const { script } = PROOFS.find((proof) => proof.name === name)!;
  if (!existsSync(join(ROOT, script))) throw new Error(`${script} is not there`);
  const { status } = spawnSync(process.execPath, [script], { cwd: ROOT, stdio: ['ignore', 2, 2] });
  const broken = status === 0 ? 0 : 1;
  return { name: `${name}: broken`, ours: broken, baseline: 0, ratio: broken, target: 0, pass: broken === 0 };
}
