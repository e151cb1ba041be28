// Finds the tests affected by a change: those that import a changed file, even indirectly, or mention it.

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';

/** Files that everything depends on. */
const EVERYTHING = new Set([
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'scripts/test.ts',
  'scripts/testing/plan.ts',
  'scripts/testing/join-packages.ts',
  'scripts/testing/stop-promise-tracking.ts',
]);
const IMPORTED = /(?:from|import|import\(|new URL\()\s*'(\.[^']+)'/g;
/** Tests start programs by their path from the repository root. */
const NAMED = /'((?:src|lab|simulator|scripts|test|bin|packages)\/[^']+\.(?:ts|mjs))'/g;

export interface Checkout {
  /** null if there is no such file. */
  readText(path: string): string | null;
}

export const checkout: Checkout = {
  readText: (path) => (existsSync(path) ? readFileSync(path, 'utf8') : null),
};

/** Lists files changed since the branch left `ref`, including uncommitted changes. */
export function listChanged(ref: string): string[] {
  const base = git('merge-base', ref, 'HEAD')[0] ?? ref;
  return [
    ...new Set([...git('diff', '--name-only', base), ...git('ls-files', '--others', '--exclude-standard')]),
  ];
}

function git(...args: string[]): string[] {
  const { status, stdout, stderr } = spawnSync('git', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr.trim()}`);
  return stdout.split('\n').filter((line) => line !== '');
}

export function findTouched(
  tests: readonly string[],
  changed: readonly string[],
  files: Checkout = checkout,
): string[] {
  if (changed.some((file) => EVERYTHING.has(file))) return [...tests];
  const code = new Set(changed.filter(isCode));
  const others = changed.filter((file) => !isCode(file)).map((file) => basename(file));
  const reads = new Map<string, { targets: string[]; isTouched: boolean }>();

  function read(file: string) {
    let known = reads.get(file);
    if (!known) {
      const text = files.readText(file) ?? '';
      const isTouched = code.has(file) || others.some((name) => text.includes(name));
      reads.set(file, (known = { targets: listTargets(file, text), isTouched }));
    }
    return known;
  }

  function reaches(test: string): boolean {
    const seen = new Set([test]);
    for (const file of seen) {
      const { targets, isTouched } = read(file);
      if (isTouched) return true;
      for (const target of targets) seen.add(target);
    }
    return false;
  }

  return tests.filter(reaches);
}

function isCode(file: string): boolean {
  return /\.(ts|tsx|mjs)$/.test(file);
}

function listTargets(file: string, text: string): string[] {
  const imported = [...text.matchAll(IMPORTED)].map(([, path]) => normalize(join(dirname(file), path!)));
  return [...imported, ...[...text.matchAll(NAMED)].map(([, path]) => path!)].filter(isCode);
}
