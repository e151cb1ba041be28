// The npm package as published, packed once for every test of a process.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { makeTempFolder } from '../support/temp-store.ts';

const ROOT = join(import.meta.dirname, '..', '..');
let tarball: string | null = null;

/** Returns the path of the tarball. */
export function packOnce(): string {
  tarball ??= pack(makeTempFolder('packed'));
  return tarball;
}

function pack(folder: string): string {
  const args = ['pack', '--silent', '--pack-destination', folder];
  const { status, stdout, stderr } = spawnSync('npm', args, { cwd: ROOT, encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  return join(folder, stdout.trim().split('\n').at(-1)!);
}
