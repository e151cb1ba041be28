// Runs one deterministic failure scenario, or many with --seeds.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readOptions, readWhole } from '../../src/cli/arguments.ts';
import type { Command } from '../../src/cli/command.ts';
import { UsageError } from '../../src/runtime/errors.ts';
import { stormForever } from '../storm/forever.ts';
import { LEADS, type LeadName } from '../storm/leads.ts';
import { listOutages } from '../storm/outages.ts';
import { SCENES_PER_DAY, type Scene } from '../storm/scene.ts';
import { openScratchStores } from '../storm/scratch-stores.ts';
import { runStorm } from '../storm/storm.ts';

export const usage = `usage: npx tallycast lab storm [--seed N] [--days D] [--engine sqlite|postgres] [options]

Run the whole service in process under seeded faults of every kind and check its invariants. Exits 0 only if none is broken.

  --seed N      random seed (1)
  --days D      simulated days (2)
  --outages H   run only outages: H hours (up to 5) without each source, without all sources, and without the store in
                each failure mode, with a calm period after each
  --engine E    sqlite or postgres (sqlite)
  --lead KIND   post sources, best first: platform (X or Mastodon, then the oracle), mirror (twitterapi.io or RSS,
                then the oracle), all (every source) (platform)
  --seeds COUNT number of runs, starting at --seed
  --jobs J      parallel processes (1)
  --verbose     print a line per day
  --forever     run new random seeds until stopped, logging a line per seed; failing runs are minimised
  --runs COUNT  stop --forever after COUNT runs
  --log FILE    log file of --forever (storms.jsonl)

examples:
  npx tallycast lab storm --seed 7 --days 3
  npx tallycast lab storm --seeds 100 --jobs 2 --engine postgres
  npx tallycast lab storm --outages 5
  npx tallycast lab storm --forever --days 10 --engine postgres`;

/** A scene lasts less than a quarter of a day. */
const MAX_OUTAGE_HOURS = 5;

interface StormOrder {
  days: number;
  outageHours: number;
  engine: 'sqlite' | 'postgres';
  lead: LeadName;
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
    outages: { type: 'string', default: '0' },
    engine: { type: 'string', default: 'sqlite' },
    lead: { type: 'string', default: 'platform' },
    verbose: { type: 'boolean', default: false },
    forever: { type: 'boolean', default: false },
    runs: { type: 'string' },
    log: { type: 'string', default: 'storms.jsonl' },
  });
  const { engine, verbose: isVerbose } = values;
  if (engine !== 'sqlite' && engine !== 'postgres')
    throw new UsageError(`--engine must be sqlite or postgres, not "${engine}"`);
  const lead = readLead(values.lead);
  const [first, count, jobs, days, outageHours] = [
    readWhole('--seed', values.seed),
    readWhole('--seeds', values.seeds),
    readWhole('--jobs', values.jobs),
    readWhole('--days', values.days),
    readWhole('--outages', values.outages),
  ];
  if (outageHours > MAX_OUTAGE_HOURS)
    throw new UsageError(`--outages must be at most ${MAX_OUTAGE_HOURS}, not ${outageHours}`);
  const order: StormOrder = { days, outageHours, engine, lead, isVerbose };
  if (values.forever) {
    const runs = values.runs === undefined ? null : readWhole('--runs', values.runs);
    process.exit((await runForever(order, runs, values.log)) ? 0 : 1);
  }
  const isFew = count <= SEEDS_PER_PROCESS && jobs === 1;
  const isWell = isFew ? await runFew(first, count, order) : await runMany(first, count, jobs, order);
  // Exits without waiting for the real timers that killed simulated processes leave behind.
  process.exit(isWell ? 0 : 1);
};

function readLead(text: string): LeadName {
  if (Object.hasOwn(LEADS, text)) return text as LeadName;
  throw new UsageError(`--lead must be one of ${Object.keys(LEADS).join(', ')}, not "${text}"`);
}

interface OneStorm {
  seed: number;
  scenes?: readonly Scene[];
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

function runForever(order: StormOrder, runs: number | null, logFile: string): Promise<boolean> {
  const { engine, days } = order;
  return stormForever({
    ...{ engine, days, logFile, runs },
    storm: (seed, scenes) => playStorm(order, { seed, ...(scenes ? { scenes } : {}) }),
    say: (text) => console.log(text),
  });
}

async function runSeed(seed: number, order: StormOrder): Promise<boolean> {
  const { outageHours, isVerbose } = order;
  const scenes = outageHours > 0 ? { scenes: listOutages(outageHours) } : {};
  const days = scenes.scenes ? scenes.scenes.length / SCENES_PER_DAY : order.days;
  const onDay = (day: number, broken: number) => console.error(`seed ${seed}: day ${day}, ${broken} broken`);
  const storm = { seed, ...scenes, ...(isVerbose ? { onDay } : {}) };
  const { faults, broken, digest } = await playStorm({ ...order, days }, storm);
  for (const line of broken.slice(0, 20)) console.log(`  ${line}`);
  if (broken.length > 0) console.log(`replay: npm run storm -- ${writeArguments(seed, order).join(' ')}`);
  if (isVerbose) console.error(`seed ${seed}: digest ${digest.toString(16)}`);
  console.log(`storm seed ${seed}: ${days} days, ${faults} faults, ${broken.length} broken`);
  return broken.length === 0;
}

async function runFew(first: number, count: number, order: StormOrder): Promise<boolean> {
  let isWell = true;
  for (let seed = first; seed < first + count; seed++) if (!(await runSeed(seed, order))) isWell = false;
  return isWell;
}

async function runMany(first: number, count: number, jobs: number, order: StormOrder): Promise<boolean> {
  const groups: { seed: number; count: number }[] = [];
  for (let done = 0; done < count; done += SEEDS_PER_PROCESS)
    groups.push({ seed: first + done, count: Math.min(SEEDS_PER_PROCESS, count - done) });
  const failed: string[] = [];
  const runLane = async () => {
    for (let group = groups.shift(); group; group = groups.shift())
      if (!(await runInProcess(group.seed, group.count, order)))
        failed.push(`${group.seed} to ${group.seed + group.count - 1}`);
  };
  await Promise.all(Array.from({ length: Math.max(1, jobs) }, runLane));
  const verdict = failed.length === 0 ? 'no failures' : `broken or incomplete: ${failed.join(', ')}`;
  console.log(`${count} seeds of ${order.days} days on ${order.engine}: ${verdict}`);
  return failed.length === 0;
}

function writeArguments(seed: number, { days, outageHours, engine, lead }: StormOrder): string[] {
  const length = outageHours > 0 ? ['--outages', String(outageHours)] : ['--days', String(days)];
  return ['--seed', String(seed), ...length, '--engine', engine, '--lead', lead];
}

async function runInProcess(seed: number, count: number, order: StormOrder): Promise<boolean> {
  const args = ['storm', ...writeArguments(seed, order), '--seeds', String(count)];
  const entry = fileURLToPath(new URL('./main.ts', import.meta.url));
  const child = spawn(process.execPath, [entry, ...args, ...(order.isVerbose ? ['--verbose'] : [])], {
    stdio: 'inherit',
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code === 0;
}

/** Uses a RAM disk if possible: a storm does not test the disk, but would sync it thousands of times. */
function scratchRoot(): string {
  return existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
}
