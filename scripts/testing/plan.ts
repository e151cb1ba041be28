// Which test files share a process, and which begin first. Starting Node and loading the program costs a unit test
// more than what it tests; a long suite that begins last keeps one core waiting for it.

import { pathToFileURL } from 'node:url';

const ENDING = new URL('./ending.ts', import.meta.url).href;
const LIGHT_FOOTED = new URL('./light-footed.ts', import.meta.url).href;

/** What one process runs. */
export interface Entry {
  name: string;
  files: readonly string[];
}

/** By what `npm test` itself says were the slowest files; the order among the rest does not matter. */
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
  'test/live/alone.test.ts',
  'test/workers.test.ts',
  'test/api/property.test.ts',
];
/** What looks at the process itself, which must be its own. */
const ALONE = ['test/store/failures.test.ts'];
/** Few enough that processes share the tests evenly, and that a process which dies takes few along. */
const UNITS_TOGETHER = 12;
const SUITES_TOGETHER = 5;
/** Closing a browser or a database may take this long on a busy machine. */
const PATIENCE_MS = 45_000;

/**
 * The longest are alone in their processes and begin first. Then come suites that boot something, a few of one room to a
 * process: what they load is loaded and warmed up once. Unit tests, which are short, end it.
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
 * A program that runs the entry's tests: each file is a suite, so that its hooks stay its own. Suites are declared
 * before any of them runs; the last one to be declared ends the tracking of promises, the last one to finish ends the
 * program, even if a failed test left a server open.
 */
export function writeEntry({ files }: Entry, patienceMs = PATIENCE_MS): string {
  const suites = files.map((file) => {
    const url = JSON.stringify(pathToFileURL(file).href);
    return `describe(${JSON.stringify(file)}, () => {
  after(finished);
  return import(${url}).finally(declared);
});
`;
  });
  return `import { endIdleProgram } from ${JSON.stringify(ENDING)};
import { stopFollowing } from ${JSON.stringify(LIGHT_FOOTED)};
const { after, describe } = await import('node:test');
let undeclared = ${files.length};
let unfinished = ${files.length};
const declared = () => --undeclared === 0 && stopFollowing();
const finished = () => --unfinished === 0 && endIdleProgram(${patienceMs});
${suites.join('')}`;
}

/** The interface on a store and a board that are filled by hand is small enough to be a unit. */
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
