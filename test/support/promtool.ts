// Finds promtool, Prometheus' checker for rules and configuration: the installed one, or Debian's package.

import { spawnSync } from 'node:child_process';
import { findInDebianPackage } from './debian-package.ts';

/** Returns null if promtool is unavailable; tests that need it are then skipped with a message. */
export function findPromtool(): string | null {
  if (spawnSync('promtool', ['--version']).status === 0) return 'promtool';
  return findInDebianPackage('prometheus', 'usr/bin/promtool', 'promtool');
}
