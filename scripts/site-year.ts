// Publishes the site of a demo that ran for a simulated year, with the commands that a user would run, and
// checks its seals with the published verifier. Prints what each step took.

import { globSync, mkdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ROOT } from './packages/places.ts';
import { runProgram } from './packages/run-program.ts';
import { type RunningProgram, startProgram } from './packages/start-program.ts';

const DAY_MS = 86_400_000;
const LOOK_MS = 1_000;
const SAY_EVERY = 30;
const RUNNING = /^tallycast is running: (\S+)/;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    days: { type: 'string', default: '365' },
    minutes: { type: 'string', default: '40' },
    seed: { type: 'string', default: '71' },
    bin: { type: 'string', default: join(ROOT, 'bin/tallycast.mjs') },
  },
});
const folder = resolve(positionals[0] ?? 'site-year');
const [days, minutes] = [Number(values.days), Number(values.minutes)];
const startTs = Date.now() - days * DAY_MS;
const env = { DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'error' };
const tallycast = (...args: string[]) => [process.execPath, resolve(values.bin), ...args];
const run = ([program, ...args]: string[], cwd = folder) => runProgram(program!, args, { cwd, env });

async function measure<T>(step: string, work: () => Promise<T>): Promise<T> {
  const startedMs = performance.now();
  const result = await work();
  console.log(`${step}: ${((performance.now() - startedMs) / 1000).toFixed(1)} s`);
  return result;
}

function sizeMb(pattern: string): string {
  const bytes = globSync(join(folder, pattern)).reduce((sum, file) => sum + statSync(file).size, 0);
  return (bytes / 1e6).toFixed(1);
}

function startService(simulatorUrl: string): Promise<RunningProgram> {
  return startProgram(tallycast('start', '--simulator-url', simulatorUrl, '--port', '0'), RUNNING, {
    cwd: folder,
    env,
  });
}

async function readTs(simulatorUrl: string): Promise<number> {
  const response = await fetch(`${simulatorUrl}/admin/speed`);
  return ((await response.json()) as { timestamp: number }).timestamp;
}

async function runYear(simulatorUrl: string): Promise<void> {
  const service = await startService(simulatorUrl);
  try {
    for (let looks = 0, ts = startTs; ts < startTs + days * DAY_MS; looks++) {
      await wait(LOOK_MS);
      ts = await readTs(simulatorUrl);
      if (looks % SAY_EVERY === 0) console.error(`${new Date(ts).toISOString().slice(0, 10)}`);
    }
  } finally {
    await service.stop();
  }
}

/** From now on, simulated time is wall time; the service reads the speed when it starts. */
async function slowDown(simulatorUrl: string): Promise<void> {
  const body = JSON.stringify({ speed: 1 });
  const headers = { 'content-type': 'application/json' };
  const { ok, status } = await fetch(`${simulatorUrl}/admin/speed`, { method: 'POST', body, headers });
  if (!ok) throw new Error(`the simulator returned ${status}`);
}

async function publish(url: string): Promise<void> {
  const key = (await run(tallycast('keys', 'issue', '--tier', 'PRO', '--label', 'site'))).trim();
  const site = () => run(tallycast('site', 'public', '--url', url, '--key', key));
  console.log((await measure('tallycast site', site)).trim());
  console.log((await measure('tallycast site, again', site)).trim());
  console.log(
    `public: ${sizeMb('public/**/*.*')} MB, of which seals.jsonl ${sizeMb('public/seals.jsonl')} MB`,
  );
  const verify = [process.execPath, 'verify-seals.mjs', 'seals.jsonl'];
  const verdict = await measure('verify-seals.mjs', () => run(verify, join(folder, 'public')));
  console.log(verdict.split('\n')[0]);
}

mkdirSync(folder, { recursive: true });
const speed = (days * 1440) / minutes;
const options = ['--seed', values.seed, '--speed', String(speed), '--start', String(startTs)];
const simulator = await startProgram(tallycast('simulator', ...options), /"base":"([^"]+)"/, { env });
const simulatorUrl = simulator.match[1]!;
try {
  await measure(`${days} days at ${Math.round(speed)} times real time`, () => runYear(simulatorUrl));
  console.log(`data: ${sizeMb('data/*')} MB`);
  await slowDown(simulatorUrl);
  const service = await measure('start', () => startService(simulatorUrl));
  try {
    await publish(service.match[1]!);
  } finally {
    await service.stop();
  }
} finally {
  await simulator.stop();
}
