// Prometheus' own judge of rules and configuration: the one that is installed, else that of Debian's package.

import { spawnSync } from 'node:child_process';
import { findInDebianPackage } from './debian-package.ts';

/** null where it is unavailable; tests that need it then skip with a message. */
export function findPromtool(): string | null {
  if (spawnSync('promtool', ['--version']).status === 0) return 'promtool';
  return findInDebianPackage('prometheus', 'usr/bin/promtool', 'promtool');
}
