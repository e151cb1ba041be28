// Runs every test, the named ones, or those affected by a change: npm test -- src/domain test/api --changed

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { holdServer } from '../test/support/postgres.ts';
import { findTouched, listChanged } from './testing/changed.ts';
import { describeCoverage, describeSlowest, describeTotals, listGround } from './testing/closing-line.ts';
import { joinPackages } from './testing/join-packages.ts';
import { planEntries, writeEntry } from './testing/plan.ts';
import type { Report } from './testing/totals-reporter.ts';

/**
 * Half of a suite's time is waiting for processes, browsers and databases: with four, two cores were idle for
 * a sixth of the time.
 */
const AT_ONCE = 5;
const AT_MOST_AGAIN = 3;
/** A program is up to nine test files; the slowest takes one minute on two idle cores. */
const PROGRAM_LIMIT_MS = 8 * 60_000;
/** Even a busy machine ends the run within half an hour. */
const RUN_LIMIT_MS = 26 * 60_000;

/** Takes twice as long, so only on request. The minimum applies to a full run. */
const COVERAGE = [
  '--experimental-test-coverage',
  '--test-coverage-include=src/**',
  '--test-coverage-exclude=**/*.test.ts',
  '--test-coverage-lines=90',
];

const words = process.argv.slice(2);
const named = words.filter((word) => !word.startsWith('-'));
const flags = words
  .filter((word) => word.startsWith('-') && !word.startsWith('--changed'))
  .flatMap((word) => (word === '--coverage' ? COVERAGE : [word]));
const since = words.find((word) => word.startsWith('--changed'))?.replace(/^--changed=?/, '');

const all = globSync([
  'src/**/*.test.ts',
  'test/**/*.test.ts',
  'packages/*/src/**/*.test.ts',
  'web/src/**/*.test.ts',
  'lab/**/*.test.ts',
  'scripts/**/*.test.ts',
]).sort();
const begun = named.length === 0 ? all : all.filter((file) => named.some((name) => file.startsWith(name)));
const files = since === undefined ? begun : findTouched(begun, listChanged(since || 'main'));

if (begun.length === 0) {
  process.stderr.write(`no test file begins with ${named.join(' or ')}\n`);
  process.exit(1);
}
if (files.length === 0) {
  process.stdout.write('0 passed, 0 failed: the change touches no test\n');
  process.exit(0);
}
const joined = await joinPackages();
process.exit(await runTests());

async function runTests(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'tallycast-test-'));
  const entries = layOut(folder);
  holdServer();
  const first = await runEntries([...entries.keys()], AT_ONCE, folder);
  const again = first.status === 0 ? [] : listWorthAnotherRun([...entries.keys()], first.report);
  const isFlaky = again.length > 0 && (await runAlone(again, entries, folder)) === 0;
  if (first.report) printTotals(first.report, entries, isFlaky ? again.length : 0);
  rmSync(folder, { recursive: true, force: true });
  return isFlaky ? 0 : first.status;
}

/**
 * A browser, a database and a dozen processes share a busy machine: the few programs that failed in a full
 * run are repeated alone. One that then passes is flaky: it is named and counted in the closing line, and
 * must be fixed.
 */
function listWorthAnotherRun(paths: string[], report: Report | null): string[] {
  const passed = new Set(report?.passed);
  const failed = paths.filter((path) => !passed.has(path));
  const isWhole = named.length === 0 && since === undefined && flags.length === 0;
  // Without a report the run hit its time limit: there is no time for a second one.
  return report && isWhole && failed.length <= AT_MOST_AGAIN ? failed : [];
}

async function runAlone(
  paths: string[],
  entries: ReadonlyMap<string, string>,
  folder: string,
): Promise<number> {
  const names = paths.map((path) => entries.get(path) ?? path).join(', ');
  process.stdout.write(`\nsecond run, alone: ${names}\n`);
  const { status } = await runEntries(paths, 1, folder);
  const verdict = status === 0 ? 'FLAKY: failed in the full run, passed alone' : 'failed again';
  process.stdout.write(`\n${verdict}: ${names}\n`);
  return status;
}

async function runEntries(
  paths: string[],
  atOnce: number,
  folder: string,
): Promise<{ status: number; report: Report | null }> {
  const totalsFile = join(folder, 'totals.json');
  const isReporterGiven = flags.some((flag) => flag.startsWith('--test-reporter='));
  const child = spawn(
    process.execPath,
    [
      '--test',
      ...flags,
      ...(isReporterGiven ? [] : [`--test-reporter=${process.env.CI ? 'spec' : 'dot'}`]),
      '--test-reporter-destination=stdout',
      `--test-reporter=${new URL('./testing/totals-reporter.ts', import.meta.url)}`,
      `--test-reporter-destination=${totalsFile}`,
      `--test-concurrency=${atOnce}`,
      `--test-timeout=${PROGRAM_LIMIT_MS}`,
      ...paths,
    ],
    {
      stdio: 'inherit',
      // A process group: the time limit also ends processes started by test programs.
      detached: true,
      // Compiled and bundled once, not once per test process.
      env: {
        NODE_COMPILE_CACHE: resolve('node_modules/.cache/compiled'),
        ...process.env,
        NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} ${joined}`.trim(),
      },
    },
  );
  const stop = () => process.kill(-child.pid!, 'SIGTERM');
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
  const limit = setTimeout(() => {
    process.stderr.write(`\nstopped: the tests did not end within ${RUN_LIMIT_MS / 60_000} minutes\n`);
    process.kill(-child.pid!, 'SIGKILL');
  }, RUN_LIMIT_MS);
  const [status] = (await once(child, 'exit')) as [number | null];
  clearTimeout(limit);
  const text = existsSync(totalsFile) ? readFileSync(totalsFile, 'utf8') : '';
  return { status: status ?? 1, report: text === '' ? null : JSON.parse(text) };
}

/** Programs are named so that the runner, which sorts them, starts them as planned. */
function layOut(folder: string): Map<string, string> {
  return new Map(
    planEntries(files).map((entry, at) => {
      const path = join(folder, `${String(at).padStart(3, '0')}.test.mjs`);
      writeFileSync(path, writeEntry(entry));
      return [path, entry.name];
    }),
  );
}

function printTotals(report: Report, entries: ReadonlyMap<string, string>, flaky: number): void {
  const { counts, duration_ms: ms, times } = report;
  const slowest = times.map(({ file, ms }) => ({ file: entries.get(file) ?? file, ms }));
  const broken = counts.failed + counts.cancelled;
  const [passed, failed] = flaky > 0 ? [counts.passed + broken, 0] : [counts.passed, broken];
  const totals = { passed, failed, skipped: counts.skipped, flaky, files: files.length, ms };
  process.stdout.write(`\n${describeTotals(totals, listGround(process.env))}\n${describeSlowest(slowest)}`);
  if (report.coverage) process.stdout.write(describeCoverage(report.coverage));
}
