// Debian packages that tests use as reference tools: downloaded and unpacked next to the tests, never installed.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const CACHE = join(import.meta.dirname, '..', '..', 'node_modules', '.cache');

/** Returns the path of a file in the package; null if the package cannot be downloaded. */
export function findInDebianPackage(name: string, path: string, folderName = name): string | null {
  const folder = join(CACHE, folderName);
  const file = join(folder, path);
  if (!existsSync(file)) unpack(name, folder);
  return existsSync(file) ? file : null;
}

function unpack(name: string, folder: string): void {
  mkdirSync(folder, { recursive: true });
  const download = () => spawnSync('apt-get', ['download', name], { cwd: folder }).status === 0;
  if (!download()) {
    const isRoot = process.getuid?.() === 0;
    const updated = isRoot
      ? spawnSync('apt-get', ['update'])
      : spawnSync('sudo', ['-n', 'apt-get', 'update']);
    if (updated.status !== 0 || !download()) return;
  }
  const archive = readdirSync(folder).find((file) => file.endsWith('.deb'));
  if (archive) spawnSync('dpkg-deb', ['-x', archive, '.'], { cwd: folder });
}
