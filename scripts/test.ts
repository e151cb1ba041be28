// Runs all tests, or those whose path starts with one of the words: npm test -- src/domain test/api. One `node --test`,
// with several files in a process, because loading the code takes longer than most of them.

import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { fixedTimeEnvironment } from '../test/support/fixed-time.ts';
import { holdServer } from '../test/support/postgres.ts';

/**
 * Which files share a process, and how many: the first row that matches counts, and rows start in this order. The
 * longest start first, so that no core is idle at the end.
 */
const PLAN: readonly (readonly [prefix: string, filesTogether: number])[] = [
  ['test/browser/pages', 1],
  ['test/alarms', 1],
  ['test/storm', 1],
  ['test/packages', 1],
  ['test/browser/live', 1],
  ['test/cli/terminal', 1],
  ['test/full-disk', 1],
  ['test/roles', 1],
  ['test/store/kill', 1],
  ['test/accounts', 3],
  ['test/cli', 3],
  ['test/browser', 4],
  ['test/deploy', 6],
  ['test/payments', 4],
  ['test/store', 5],
  ['test/exchange', 5],
  ['test/api/property', 1],
  ['test/api', 16],
  ['test', 6],
  // It moves the clock of its process.
  ['src/access/limiter', 1],
  ['', 24],
];
/** Suites wait half of the time, for processes, browsers and databases. */
const AT_ONCE = 5;
/** The longest process takes a minute on two idle cores. */
const TEST_LIMIT_MS = 5 * 60_000;
const PROCESS_LIMIT_MS = 8 * 60_000;
const SUITES = ['{src,test,lab,simulator,scripts}/**/*.test.ts', '{packages/*,web}/src/**/*.test.ts'];
const COVERAGE = [
  '--experimental-test-coverage',
  '--test-coverage-include=src/**',
  '--test-coverage-exclude=**/*.test.ts',
];

const words = process.argv.slice(2);
const prefixes = words.filter((word) => !word.startsWith('-'));
const flags = words
  .filter((word) => word.startsWith('-'))
  .flatMap((word) => (word === '--coverage' ? COVERAGE : word));
const files = globSync(SUITES)
  .filter((file) => prefixes.length === 0 || prefixes.some((prefix) => file.startsWith(prefix)))
  .sort();

process.exitCode = files.length > 0 ? run(plan(files)) : refuse();

function refuse(): number {
  process.stderr.write(`no test file starts with ${prefixes.join(' or ')}\n`);
  return 1;
}

function plan(files: readonly string[]): string[][] {
  const rowOf = (file: string) => PLAN.findIndex(([prefix]) => file.startsWith(prefix));
  const rows = Map.groupBy(files, rowOf);
  return [...rows.keys()]
    .sort((a, b) => a - b)
    .flatMap((row) => {
      const own = rows.get(row)!;
      const processes = Math.ceil(own.length / PLAN[row]![1]);
      const size = Math.ceil(own.length / processes);
      return Array.from({ length: processes }, (_, i) => own.slice(i * size, (i + 1) * size));
    })
    .filter((together) => together.length > 0);
}

function run(groups: readonly (readonly string[])[]): number {
  const folder = mkdtempSync(join(tmpdir(), 'tallycast-test-'));
  // The runner starts files in the order of their names.
  const entries = groups.map((together, at) => {
    const name = together[0]!.replaceAll('/', '.').replace(/\.test\.ts$/, '');
    const entry = join(folder, `${String(at).padStart(3, '0')}-${name}.test.mjs`);
    writeFileSync(entry, writeEntry(together));
    return entry;
  });
  holdServer();
  const limits = [`--test-concurrency=${AT_ONCE}`, `--test-timeout=${TEST_LIMIT_MS}`];
  const args = ['--test', '--test-reporter=spec', ...limits, ...flags, ...entries];
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit', env: environment() });
  rmSync(folder, { recursive: true, force: true });
  return status ?? 1;
}

/**
 * Each file is a suite, so that its hooks stay its own. A process that something keeps open after its tests fails at
 * its limit.
 */
function writeEntry(files: readonly string[]): string {
  const suites = files.map((file) => {
    const url = JSON.stringify(pathToFileURL(resolve(file)).href);
    return `describe(${JSON.stringify(file)}, () => import(${url}));\n`;
  });
  return `import { describe } from 'node:test';
setTimeout(() => {
  console.error('did not end: ${files.join(', ')}; open:', process.getActiveResourcesInfo().join(', '));
  process.exit(1);
}, ${PROCESS_LIMIT_MS}).unref();
${suites.join('')}`;
}

function environment(): NodeJS.ProcessEnv {
  const { NODE_TEST_CONTEXT: _, ...own } = process.env;
  const time = fixedTimeEnvironment();
  const NODE_OPTIONS = `${own.NODE_OPTIONS ?? ''} ${time.NODE_OPTIONS}`.trim();
  return { NODE_COMPILE_CACHE: resolve('node_modules/.cache/compiled'), ...own, ...time, NODE_OPTIONS };
}
