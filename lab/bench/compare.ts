// npm run bench -- --compare REV: this revision and another, each on its own simulator, measured alternately
// in each round. Ratios are ours over theirs.

import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchOptions } from './core/bench.ts';
import { ROOT, readRssMb } from './core/processes.ts';
import { type BenchRow, pairedRow } from './core/row.ts';
import { generateLoad, type LoadResult, rawRequest } from './load/generate.ts';
import { startWholeService, type WholeService } from './load/whole-service.ts';

/** Below the number at which older revisions refused. */
const CONNECTIONS = 8;
/** Files created by the setup (scripts/setup.mjs). */
const INSTALLED = '.tallycast-installed';
const WALLET = `0x${'ab'.repeat(20)}`;
/** Paths of account A; each reports requests a second and CPU per request. */
const PATHS = ['/meta/account_a', '/prediction/account_a', '/meta/account_a/tweets'];
/** Computed once per caller; these have a target. */
const COMPUTED_PATHS = [
  '/meta/account_a/tweets?limit=100',
  '/signals/account_a',
  '/signals/account_a/ladder',
  `/portfolio/account_a?wallet=${WALLET}`,
];
const COMPUTED_GOAL = 5;

export const aboutCompare = (revision: string) =>
  `The program of \`npm start\` of this revision and of ${revision}, each with its own simulator, in turn within each round, with an INTERNAL key over 8 connections. Computed answers must be 5 times as fast.`;

export async function compareWith(options: BenchOptions, revision: string): Promise<BenchRow[]> {
  const otherRoot = checkOut(options, revision);
  const ours = await startWholeService(options, { proKeys: 0 });
  try {
    const theirs = await startWholeService(options, { proKeys: 0, root: otherRoot });
    try {
      return await measure(options, ours, theirs, revision);
    } finally {
      await theirs.stop();
    }
  } finally {
    await ours.stop();
    execFileSync('git', ['worktree', 'remove', '--force', otherRoot], { cwd: ROOT });
  }
}

/** Linked to our packages with our lock file: its setup would otherwise install its own. */
function checkOut(options: BenchOptions, revision: string): string {
  const folder = join(mkdtempSync(join(options.scratchDir, 'compare-')), 'tree');
  execFileSync('git', ['worktree', 'add', '--detach', folder, revision], { cwd: ROOT, stdio: 'ignore' });
  const [from, to] = [join(ROOT, 'node_modules'), join(folder, 'node_modules')];
  mkdirSync(to);
  for (const name of readdirSync(from)) {
    if (name === INSTALLED) copyFileSync(join(from, name), join(to, name));
    else if (name !== '.cache') symlinkSync(join(from, name), join(to, name));
  }
  copyFileSync(join(ROOT, 'package-lock.json'), join(folder, 'package-lock.json'));
  return folder;
}

async function measure(
  options: BenchOptions,
  ours: WholeService,
  theirs: WholeService,
  revision: string,
): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const path of [...PATHS, ...COMPUTED_PATHS]) {
    options.say(path);
    if (!(await isAnswered(ours, path)) || !(await isAnswered(theirs, path))) {
      options.note(`${path} is not answered by both`);
      continue;
    }
    const seen: [LoadResult[], LoadResult[]] = [[], []];
    for (let round = 0; round < (options.isQuick ? 2 : 6); round++) {
      // The first round warms up.
      const results = [await ask(options, ours, path), await ask(options, theirs, path)];
      if (round > 0) for (const side of [0, 1] as const) seen[side].push(results[side]!);
    }
    const pick = (side: 0 | 1, field: 'perSecond' | 'cpuUs' | 'p99Ms') => seen[side].map((one) => one[field]);
    const goal = COMPUTED_PATHS.includes(path) ? COMPUTED_GOAL : 1;
    const row = (field: 'perSecond' | 'cpuUs' | 'p99Ms', what: string, better: 'more' | 'less', target = 1) =>
      pairedRow(`${path}: ${what} vs ${revision}`, pick(0, field), pick(1, field), better, target);
    rows.push(row('perSecond', 'requests per second', 'more', goal));
    rows.push(row('cpuUs', 'CPU µs per request', 'less'));
    rows.push(row('p99Ms', 'p99 ms', 'less'));
  }
  rows.push(pairedRow(`RSS MB vs ${revision}`, [readRssMb(ours.pid)], [readRssMb(theirs.pid)], 'less', 1));
  return rows;
}

async function isAnswered({ url, keys }: WholeService, path: string): Promise<boolean> {
  const response = await fetch(`${url}/api/v1${path}`, { headers: { 'X-API-Key': keys.INTERNAL } });
  await response.arrayBuffer();
  return response.status === 200;
}

function ask(options: BenchOptions, { port, pid, keys }: WholeService, path: string): Promise<LoadResult> {
  const requests = [rawRequest(`/api/v1${path}`, { 'X-API-Key': keys.INTERNAL })];
  return generateLoad(options.scratchDir, {
    port,
    pids: [pid],
    requests,
    connections: CONNECTIONS,
    seconds: options.isQuick ? 0.5 : 2,
  });
}
