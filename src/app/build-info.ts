// Version and commit of this build.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

export interface BuildInfo {
  version: string;
  commit: string;
}

const ROOT = new URL('../../', import.meta.url);

export function readBuildInfo(): BuildInfo {
  const { version } = JSON.parse(read('package.json') ?? '{}') as { version: string };
  return { version, commit: readCommit() };
}

/** Packages store the commit in a file, because git would report the repository they are installed in. */
function readCommit(): string {
  if (!existsSync(new URL('.git', ROOT))) return read('dist/commit') ?? 'unknown';
  try {
    return execFileSync('git', ['rev-parse', '--short=12', 'HEAD'], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
      .toString()
      .trim();
  } catch {
    return 'unknown';
  }
}

function read(path: string): string | null {
  const file = new URL(path, ROOT);
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
}
