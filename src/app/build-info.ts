// Which build this is: the package's version and, where the checkout knows it, the commit.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

export interface BuildInfo {
  version: string;
  commit: string;
}

const ROOT = new URL('../../', import.meta.url);

export function readBuildInfo(): BuildInfo {
  const { version } = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8')) as { version: string };
  return { version, commit: readCommit() };
}

/** An installation without git says so rather than guess. */
function readCommit(): string {
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
