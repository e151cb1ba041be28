// Runs one deterministic failure scenario, or many with --seeds.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readOptions, readWhole } from '../../src/cli/arguments.ts';
import type { Command } from '../../src/cli/command.ts';
import { UsageError } from '../../src/runtime/errors.ts';
import { LEADS, type LeadName } from '../storm/leads.ts';
import { openScratchStores } from '../storm/scratch-stores.ts';
import { runStorm } from '../storm/storm.ts';

export const usage = `usage: npx tallycast lab storm [--seed N] [--days D] [--engine sqlite|postgres] [options]

Run the whole service in process under seeded faults of every kind and check its invariants. Exits 0 only if none is broken.

  --seed N      random seed (1)
  --days D      simulated days (2)
  --engine E    sqlite or postgres (sqlite)
  --lead KIND   post sources, best first: platform (X or Mastodon, then the oracle), mirror (the oracle, or RSS
                and then the oracle), all (every source) (platform)
  --seeds COUNT number of runs, starting at --seed
  --jobs J      parallel processes (1)
  --repeat N    run each seed N times; exits 1 if their logs differ (1)
  --trace FILE  write the log of the last run to FILE
  --verbose     print a line per day

examples:
  npx tallycast lab storm --seed 7 --days 3
  npx tallycast lab storm --seeds 100 --jobs 2 --engine postgres
  npx tallycast lab storm --seeds 10 --days 1 --repeat 5`;

interface StormOrder {
  days: number;
  engine: 'sqlite' | 'postgres';
  lead: LeadName;
  repeats: number;
  traceFile: string | undefined;
  isVerbose: boolean;
}

/**
 * Sequential runs share one process, because warming up takes a fifth of a storm. The number is limited
 * because killed simulated processes leave garbage behind.
 */
const SEEDS_PER_PROCESS = 5;

export const run: Command['run'] = async (args) => {
  const { values } = readOptions(args, {
    seed: { type: 'string', default: '1' },
    seeds: { type: 'string', default: '1' },
    jobs: { type: 'string', default: '1' },
    days: { type: 'string', default: '2' },
    engine: { type: 'string', default: 'sqlite' },
    lead: { type: 'string', default: 'platform' },
    repeat: { type: 'string', default: '1' },
    trace: { type: 'string' },
    verbose: { type: 'boolean', default: false },
  });
  const { engine, verbose: isVerbose } = values;
  if (engine !== 'sqlite' && engine !== 'postgres')
    throw new UsageError(`--engine must be sqlite or postgres, not "${engine}"`);
  const lead = readLead(values.lead);
  const [first, count, jobs, days, repeats] = [
    readWhole('--seed', values.seed),
    readWhole('--seeds', values.seeds),
    readWhole('--jobs', values.jobs),
    readWhole('--days', values.days),
    readWhole('--repeat', values.repeat),
  ];
  const order: StormOrder = { days, engine, lead, repeats, traceFile: values.trace, isVerbose };
  const isFew = count <= SEEDS_PER_PROCESS && jobs === 1;
  const failed = isFew ? await runFew(first, count, order) : await runMany(first, count, jobs, order);
  if (process.connected) await new Promise((resolve) => process.send!(failed, resolve));
  // Exits without waiting for the real timers that killed simulated processes leave behind.
  process.exit(failed.length === 0 ? 0 : 1);
};

function readLead(text: string): LeadName {
  if (Object.hasOwn(LEADS, text)) return text as LeadName;
  throw new UsageError(`--lead must be one of ${Object.keys(LEADS).join(', ')}, not "${text}"`);
}

interface OneStorm {
  seed: number;
  onLine?: (line: string) => void;
  onDay?: (day: number, broken: number) => void;
}

/** Uses a separate folder and, with PostgreSQL, separate databases. */
async function playStorm({ engine, days, lead }: StormOrder, storm: OneStorm) {
  const folder = mkdtempSync(join(scratchRoot(), 'tallycast-storm-'));
  const stores = await openScratchStores(engine, folder);
  try {
    return await runStorm({ days, lead, ...storm, ...stores });
  } finally {
    await stores.clear();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function runSeed(seed: number, order: StormOrder): Promise<boolean> {
  const { days, isVerbose, traceFile, repeats } = order;
  const onDay = (day: number, broken: number) => console.error(`seed ${seed}: day ${day}, ${broken} broken`);
  const digests = new Set<string>();
  const broken = new Set<string>();
  let faults = 0;
  for (let run = 0; run < repeats; run++) {
    const lines: string[] = [];
    const onLine = (line: string) => void lines.push(line);
    const storm = { seed, ...(isVerbose ? { onDay } : {}), ...(traceFile ? { onLine } : {}) };
    const result = await playStorm(order, storm);
    digests.add(result.digest);
    for (const line of result.broken) broken.add(line);
    faults = result.faults;
    if (traceFile) writeFileSync(traceFile, lines.join(''));
  }
  for (const line of [...broken].slice(0, 20)) console.log(`  ${line}`);
  if (broken.size > 0) console.log(`replay: npm run storm -- ${writeArguments(seed, order).join(' ')}`);
  console.log(
    `storm seed ${seed}: ${days} days, ${faults} faults, ${broken.size} broken, ${describeLogs(digests, repeats)}`,
  );
  return broken.size === 0 && digests.size === 1;
}

function describeLogs(digests: ReadonlySet<string>, repeats: number): string {
  const names = [...digests].map((digest) => digest.slice(0, 16)).join(', ');
  if (repeats === 1) return `log ${names}`;
  return digests.size === 1 ? `${repeats} equal logs ${names}` : `logs differ: ${names}`;
}

/** Returns the seeds that failed. */
async function runFew(first: number, count: number, order: StormOrder): Promise<string[]> {
  const failed: string[] = [];
  for (let seed = first; seed < first + count; seed++)
    if (!(await runSeed(seed, order))) failed.push(String(seed));
  return failed;
}

async function runMany(first: number, count: number, jobs: number, order: StormOrder): Promise<string[]> {
  const groups: { seed: number; count: number }[] = [];
  for (let done = 0; done < count; done += SEEDS_PER_PROCESS)
    groups.push({ seed: first + done, count: Math.min(SEEDS_PER_PROCESS, count - done) });
  const failed: string[] = [];
  const runLane = async () => {
    for (let group = groups.shift(); group; group = groups.shift())
      failed.push(...(await runInProcess(group.seed, group.count, order)));
  };
  await Promise.all(Array.from({ length: Math.max(1, jobs) }, runLane));
  const verdict = failed.length === 0 ? 'no failures' : `failed: ${failed.join(', ')}`;
  console.log(`${count} seeds of ${order.days} days on ${order.engine}: ${verdict}`);
  return failed;
}

function writeArguments(seed: number, { days, engine, lead }: StormOrder): string[] {
  return ['--seed', String(seed), '--days', String(days), '--engine', engine, '--lead', lead];
}

/** Returns the seeds that failed; all of them if the process ended before its report. */
async function runInProcess(seed: number, count: number, order: StormOrder): Promise<string[]> {
  const args = ['storm', ...writeArguments(seed, order), '--seeds', String(count)];
  args.push('--repeat', String(order.repeats), ...(order.isVerbose ? ['--verbose'] : []));
  const entry = fileURLToPath(new URL('./main.ts', import.meta.url));
  const child = fork(entry, args, { stdio: 'inherit' });
  let failed = [`${seed} to ${seed + count - 1} (incomplete)`];
  child.on('message', (reported) => void (failed = reported as string[]));
  await once(child, 'exit');
  return failed;
}

/** Uses a RAM disk if possible: a storm does not test the disk, but would sync it thousands of times. */
function scratchRoot(): string {
  return existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
}
