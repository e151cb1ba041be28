// Publishes the site of a demo that ran for a simulated year, with the commands that a user would run, and
// checks its seals with the published verifier. Prints what each step took.

import { globSync, mkdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from '../../scripts/packages/places.ts';
import { runProgram } from '../../scripts/packages/run-program.ts';
import { startProgram } from '../../scripts/packages/start-program.ts';
import { liveDemo } from './demo-year.ts';

const HOUR_MS = 3_600_000;
const SAY_EVERY_DAYS = 10;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    days: { type: 'string', default: '365' },
    hours: { type: 'string', default: '6' },
    seed: { type: 'string', default: '71' },
    bin: { type: 'string', default: join(ROOT, 'bin/tallycast.mjs') },
  },
});
const folder = resolve(positionals[0] ?? 'site-year');
const dataDir = join(folder, 'data');
const env = { DATA_DIR: dataDir, LOG_LEVEL: 'error' };
const tallycast = (...args: string[]) => [process.execPath, resolve(values.bin), ...args];
const run = ([program, ...args]: string[], cwd = folder) => runProgram(program!, args, { cwd, env });

async function measure<T>(step: string, work: () => Promise<T>): Promise<T> {
  const startedMs = performance.now();
  const result = await work();
  console.log(`${step}: ${((performance.now() - startedMs) / 1000).toFixed(1)} s`);
  return result;
}

function sizeMb(pattern: string): string {
  const files = globSync(join(folder, pattern)).filter((file) => statSync(file).isFile());
  return (files.reduce((sum, file) => sum + statSync(file).size, 0) / 1e6).toFixed(1);
}

function live(): Promise<void> {
  let said = 0;
  const onDay = (day: number) => {
    if (day < said + SAY_EVERY_DAYS) return;
    said = day;
    console.error(`day ${day}`);
  };
  const [days, stepMs] = [Number(values.days), Number(values.hours) * HOUR_MS];
  return liveDemo({ dataDir, seed: Number(values.seed), endTs: Date.now(), days, stepMs, onDay });
}

async function publish(url: string): Promise<void> {
  const key = (await run(tallycast('keys', 'issue', '--tier', 'PRO', '--label', 'site'))).trim();
  const site = () => run(tallycast('site', 'public', '--url', url, '--key', key));
  console.log((await measure('tallycast site', site)).trim());
  const [all, seals] = [sizeMb('public/**/*'), sizeMb('public/seals.jsonl')];
  console.log(`public: ${all} MB, of which seals.jsonl ${seals} MB`);
  const verify = [process.execPath, 'verify-seals.mjs', 'seals.jsonl'];
  const verdict = await measure('verify-seals.mjs', () => run(verify, join(folder, 'public')));
  console.log(verdict.split('\n')[0]);
}

mkdirSync(folder, { recursive: true });
await measure(`${values.days} simulated days`, live);
console.log(`data: ${sizeMb('data/*')} MB`);
const start = tallycast('start', '--port', '0');
const service = await measure('tallycast start', () =>
  startProgram(start, /^tallycast is running: (\S+)/, { cwd: folder, env }),
);
try {
  await publish(service.match[1]!);
} finally {
  await service.stop();
}
