// Runs every test, those named, or those that a change touches: npm test -- src/domain test/api --changed

import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { holdServer } from '../test/support/postgres.ts';
import { findTouched, listChanged } from './testing/changed.ts';
import { describeSlowest, describeTotals, listGround } from './testing/closing-line.ts';
import { joinPackages } from './testing/join-packages.ts';
import { planEntries, writeEntry } from './testing/plan.ts';
import type { Report } from './testing/totals-reporter.ts';

/** Half of a suite's time is waiting for processes, browsers and databases: with four, two cores stood still for a sixth of it. */
const AT_ONCE = 5;
const AT_MOST_AGAIN = 3;

const words = process.argv.slice(2);
const named = words.filter((word) => !word.startsWith('-'));
const flags = words.filter((word) => word.startsWith('-') && !word.startsWith('--changed'));
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
process.exit(runTests());

function runTests(): number {
  const folder = mkdtempSync(join(tmpdir(), 'tallycast-test-'));
  const entries = layOut(folder);
  holdServer();
  const first = runEntries([...entries.keys()], AT_ONCE, folder);
  if (first.report) tellTotals(first.report, entries);
  const again = first.status === 0 ? [] : listWorthAnotherRun([...entries.keys()], first.report);
  const status = again.length === 0 ? first.status : runAlone(again, entries, folder);
  rmSync(folder, { recursive: true, force: true });
  return status;
}

/**
 * A browser, a database and a dozen processes on a busy machine: of a whole run, few that failed among the others run once
 * more with the machine to themselves. What is wrong fails again; what passes then is named, to be mended.
 */
function listWorthAnotherRun(paths: string[], report: Report | null): string[] {
  const passed = new Set(report?.passed);
  const failed = paths.filter((path) => !passed.has(path));
  const isWhole = named.length === 0 && since === undefined && flags.length === 0;
  return isWhole && failed.length <= AT_MOST_AGAIN ? failed : [];
}

function runAlone(paths: string[], entries: ReadonlyMap<string, string>, folder: string): number {
  const names = paths.map((path) => entries.get(path) ?? path).join(', ');
  process.stdout.write(`\nonce more, alone: ${names}\n`);
  const { status } = runEntries(paths, 1, folder);
  const verdict = status === 0 ? 'UNSTEADY: failed among others, passed alone' : 'failed again';
  process.stdout.write(`\n${verdict}: ${names}\n`);
  return status;
}

function runEntries(
  paths: string[],
  atOnce: number,
  folder: string,
): { status: number; report: Report | null } {
  const totalsFile = join(folder, 'totals.json');
  const isReporterGiven = flags.some((flag) => flag.startsWith('--test-reporter='));
  const result = spawnSync(
    process.execPath,
    [
      '--test',
      ...flags,
      ...(isReporterGiven ? [] : [`--test-reporter=${process.env.CI ? 'spec' : 'dot'}`]),
      '--test-reporter-destination=stdout',
      `--test-reporter=${new URL('./testing/totals-reporter.ts', import.meta.url)}`,
      `--test-reporter-destination=${totalsFile}`,
      `--test-concurrency=${atOnce}`,
      ...paths,
    ],
    {
      stdio: 'inherit',
      // Compiled and joined once, not once per test process.
      env: {
        NODE_COMPILE_CACHE: resolve('node_modules/.cache/compiled'),
        ...process.env,
        NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} ${joined}`.trim(),
      },
    },
  );
  const text = readFileSync(totalsFile, 'utf8');
  return { status: result.status ?? 1, report: text === '' ? null : JSON.parse(text) };
}

/** Programs named so that the runner, which sorts them, begins them as planned; each with what it runs. */
function layOut(folder: string): Map<string, string> {
  return new Map(
    planEntries(files).map((entry, at) => {
      const path = join(folder, `${String(at).padStart(3, '0')}.test.mjs`);
      writeFileSync(path, writeEntry(entry));
      return [path, entry.name];
    }),
  );
}

function tellTotals(report: Report, entries: ReadonlyMap<string, string>): void {
  const { counts, duration_ms: ms, times } = report;
  const slowest = times.map(({ file, ms }) => ({ file: entries.get(file) ?? file, ms }));
  const failed = counts.failed + counts.cancelled;
  const totals = { passed: counts.passed, failed, skipped: counts.skipped, files: files.length, ms };
  process.stdout.write(`\n${describeTotals(totals, listGround(process.env))}\n${describeSlowest(slowest)}`);
}
