// Plans which test files share a process and which start first. Starting Node and loading the code costs more
// than a unit test, and a long suite that starts last leaves the other core idle.

import { pathToFileURL } from 'node:url';

const ENDING = new URL('./ending.ts', import.meta.url).href;
const STOP_TRACKING = new URL('./stop-promise-tracking.ts', import.meta.url).href;

/** Test files that share one process. */
export interface Entry {
  name: string;
  files: readonly string[];
}

/** The slowest files as reported by `npm test`; the order of the rest does not matter. */
export const LONGEST_FIRST = [
  'test/browser/pages.test.ts',
  'test/alarms/alarms.test.ts',
  'test/storm/storm.test.ts',
  'test/packages/packages.test.ts',
  'test/browser/live.test.ts',
  'test/cli/terminal.test.ts',
  'test/full-disk/full-disk.test.ts',
  'test/roles/roles.test.ts',
  'test/store/kill.test.ts',
  'test/accounts/boot.test.ts',
  'test/cli/commands.test.ts',
  'test/browser/event.test.ts',
  'test/api/property.test.ts',
];
/** Tests that inspect the process itself and need a separate process. */
const ALONE = ['src/access/limiter.test.ts'];
/** Small enough to spread the load evenly and to limit the damage of a crash. */
const UNITS_TOGETHER = 24;
const SUITES_TOGETHER = 5;
/** Closing a browser or a database may take this long on a busy machine. */
const PATIENCE_MS = 45_000;
/** A program has up to 24 test files; the slowest takes one minute on two idle cores. */
export const PROGRAM_LIMIT_MS = 8 * 60_000;

/**
 * The slowest files run alone and start first. Then come suites that boot something, a few files of one room
 * per process, so that code is loaded and warmed up once. Short unit tests come last.
 */
export function planEntries(files: readonly string[]): Entry[] {
  const long = [...LONGEST_FIRST, ...ALONE].filter((file) => files.includes(file));
  const rest = files.filter((file) => !long.includes(file)).sort();
  const rooms = Map.groupBy(rest.filter(isSuite), roomOf);
  const entries = [
    ...long.map((file) => [file]),
    ...[...rooms.values()].flatMap((room) => cut(room, SUITES_TOGETHER)),
    ...cut(
      rest.filter((file) => !isSuite(file)),
      UNITS_TOGETHER,
    ),
  ];
  return entries.map((together) => ({ name: nameOf(together), files: together }));
}

/**
 * Writes a program that runs the entry's tests. Each file is a suite, so that its hooks stay separate. All
 * suites are declared before the first one runs; then promise tracking stops. The program ends with the last
 * result, even if a failed test left a server open.
 */
export function writeEntry(
  { files }: Pick<Entry, 'files'>,
  { patienceMs = PATIENCE_MS, limitMs = PROGRAM_LIMIT_MS } = {},
): string {
  const suites = files.map((file) => {
    const url = JSON.stringify(pathToFileURL(file).href);
    return `describe(${JSON.stringify(file)}, () => {
  after(finished);
  return import(${url}).finally(declared);
});
`;
  });
  return `import { endIdleProgram, limitProgram } from ${JSON.stringify(ENDING)};
import { stopTracking } from ${JSON.stringify(STOP_TRACKING)};
const { after, describe } = await import('node:test');
limitProgram(${limitMs});
let undeclared = ${files.length};
let unfinished = ${files.length};
const declared = () => --undeclared === 0 && stopTracking();
const finished = () => --unfinished === 0 && endIdleProgram(${patienceMs});
${suites.join('')}`;
}

/** API tests run on a hand-filled store and board, so they are fast enough to count as unit tests. */
function isSuite(file: string): boolean {
  return file.startsWith('test/') && !file.startsWith('test/api/');
}

function roomOf(file: string): string {
  return file.split('/').slice(0, -1).join('/');
}

function cut(files: readonly string[], most: number): string[][] {
  const parts = Math.ceil(files.length / most);
  const size = Math.ceil(files.length / parts);
  return Array.from({ length: parts }, (_, i) => files.slice(i * size, (i + 1) * size));
}

function nameOf(files: readonly string[]): string {
  const [first, last] = [files[0]!, files.at(-1)!];
  return files.length === 1 ? first : `${first} to ${last}`;
}
