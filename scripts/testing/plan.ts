// Which test files share a process, and which begin first. Starting Node and loading the program costs a unit test
// more than what it tests; a long suite that begins last keeps one core waiting for it.

import { pathToFileURL } from 'node:url';

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
/** Long, or with hooks around every test. */
const ALONE = new Set(['test/api/property.test.ts', 'test/api/traces.test.ts']);
/** Few enough that processes share the unit tests evenly, and that a process which dies takes few along. */
const TOGETHER = 12;

/** What boots something is alone in its process; unit tests share one with others of their room. Short ones end it. */
export function planEntries(files: readonly string[]): Entry[] {
  const alone = files.filter((file) => !isSharing(file)).sort();
  const long = LONGEST_FIRST.filter((file) => alone.includes(file));
  const short = alone.filter((file) => !long.includes(file));
  const entries = [...apart(long), ...cut(files.filter(isSharing).sort()), ...apart(short)];
  return entries.map((together) => ({ name: nameOf(together), files: together }));
}

/** A program that runs the entry's tests. */
export function writeEntry({ files }: Entry): string {
  return files.map((file) => `import ${JSON.stringify(pathToFileURL(file).href)};\n`).join('');
}

/** The interface on a store and a board that are filled by hand is small enough to be a unit. */
function isSharing(file: string): boolean {
  return !file.startsWith('test/') || (file.startsWith('test/api/') && !ALONE.has(file));
}

function apart(files: readonly string[]): string[][] {
  return files.map((file) => [file]);
}

function cut(files: readonly string[]): string[][] {
  const parts = Math.ceil(files.length / TOGETHER);
  const size = Math.ceil(files.length / parts);
  return Array.from({ length: parts }, (_, i) => files.slice(i * size, (i + 1) * size));
}

function nameOf(files: readonly string[]): string {
  const [first, last] = [files[0]!, files.at(-1)!];
  return files.length === 1 ? first : `${first} to ${last}`;
}
