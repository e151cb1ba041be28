// Runs all tests, or those selected by path prefix: npm test -- src/domain test/api

import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { holdServer } from '../test/support/postgres.ts';
import {
  describeCoverage,
  describeSlowest,
  describeStopped,
  describeTotals,
  listGround,
} from './testing/closing-line.ts';
import { joinPackages } from './testing/join-packages.ts';
import { type Entry, planEntries, writeEntry } from './testing/plan.ts';
import { type Run, runPrograms } from './testing/run-programs.ts';
import type { FileTime, Report } from './testing/totals-reporter.ts';

/** Programs by path. */
type Entries = ReadonlyMap<string, Entry>;

/**
 * Suites wait for processes, browsers and databases half of the time: with four programs, two cores were idle
 * for a sixth of the time.
 */
const AT_ONCE = 5;
const MAX_RERUN_FILES = 3;
/** With the second run, this ends within half an hour even on a busy machine. */
const LIMIT_MS = 28 * 60_000;

/** Measuring coverage doubles the time, so it is done only on request. The minimum applies to a full run. */
const COVERAGE = [
  '--experimental-test-coverage',
  '--test-coverage-include=src/**',
  '--test-coverage-exclude=**/*.test.ts',
  '--test-coverage-lines=90',
];

const words = process.argv.slice(2);
const named = words.filter((word) => !word.startsWith('-'));
const flags = words
  .filter((word) => word.startsWith('-'))
  .flatMap((word) => (word === '--coverage' ? COVERAGE : [word]));

const all = globSync([
  'src/**/*.test.ts',
  'test/**/*.test.ts',
  'packages/*/src/**/*.test.ts',
  'web/src/**/*.test.ts',
  'lab/**/*.test.ts',
  'simulator/**/*.test.ts',
  'scripts/**/*.test.ts',
]).sort();
const files = named.length === 0 ? all : all.filter((file) => named.some((name) => file.startsWith(name)));

if (files.length === 0) {
  process.stderr.write(`no test file starts with ${named.join(' or ')}\n`);
  process.exit(1);
}
const stop = AbortSignal.timeout(LIMIT_MS);
const joined = await joinPackages();
process.exit(await runTests());

async function runTests(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'tallycast-test-'));
  const entries = layOut(folder);
  holdServer();
  const run = (paths: readonly string[], atOnce: number) =>
    runPrograms(paths, { atOnce, folder, flags, nodeOptions: joined, stop });
  const first = await run([...entries.keys()], AT_ONCE);
  const again = first.status === 0 ? [] : listWorthAnotherRun(entries, first.report);
  const isFlaky = again.length > 0 && (await runAlone(again, run)) === 0;
  rmSync(folder, { recursive: true, force: true });
  const { totals, slowest } = first.report;
  if (totals) printTotals(totals, slowest, entries, isFlaky ? again.length : 0);
  else printStopped(first.report, entries);
  return isFlaky ? 0 : first.status;
}

/**
 * On a busy machine shared by a browser, a database and a dozen processes, tests may fail by chance. The few
 * programs that failed in a full run are repeated alone. If one then passes, it is flaky: the closing line
 * counts it, and it must be fixed.
 */
function listWorthAnotherRun(entries: Entries, { passed, totals }: Report): [string, Entry][] {
  const failed = [...entries].filter(([path]) => !passed.has(path));
  const isWhole = named.length === 0 && flags.length === 0;
  return totals && isWhole && failed.length <= MAX_RERUN_FILES ? failed : [];
}

async function runAlone(
  again: readonly [string, Entry][],
  run: (paths: readonly string[], atOnce: number) => Promise<Run>,
): Promise<number> {
  const names = again.map(([, { name }]) => name).join(', ');
  process.stdout.write(`\nsecond run, alone: ${names}\n`);
  const paths = again.map(([path]) => path);
  const { status } = await run(paths, 1);
  const verdict = status === 0 ? 'FLAKY: failed in the full run, passed alone' : 'failed again';
  process.stdout.write(`\n${verdict}: ${names}\n`);
  return status;
}

/** Names the programs so that the runner, which sorts by name, starts them in the planned order. */
function layOut(folder: string): Entries {
  return new Map(
    planEntries(files).map((entry, at) => {
      const path = join(folder, `${String(at).padStart(3, '0')}.test.mjs`);
      writeFileSync(path, writeEntry(entry));
      return [path, entry];
    }),
  );
}

function printTotals(
  { counts, duration_ms: ms, coverage }: NonNullable<Report['totals']>,
  slowest: readonly FileTime[],
  entries: Entries,
  flaky: number,
): void {
  const named = slowest.map(({ file, ms }) => ({ file: entries.get(file)?.name ?? file, ms }));
  const broken = counts.failed + counts.cancelled;
  const [passed, failed] = flaky > 0 ? [counts.passed + broken, 0] : [counts.passed, broken];
  const totals = { passed, failed, skipped: counts.skipped, flaky, files: files.length, ms };
  process.stdout.write(`\n${describeTotals(totals, listGround(process.env))}\n${describeSlowest(named)}`);
  if (coverage) process.stdout.write(describeCoverage(coverage));
}

function printStopped({ ended, passed }: Report, entries: Entries): void {
  const unfinished = [...entries].filter(([path]) => !ended.has(path)).flatMap(([, { files }]) => files);
  const failed = [...entries].filter(([path]) => ended.has(path) && !passed.has(path));
  process.stdout.write(describeStopped(unfinished, stop.aborted ? LIMIT_MS : null));
  for (const [, { name }] of failed) process.stdout.write(`failed before: ${name}\n`);
}
