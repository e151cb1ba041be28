// Prometheus' own judge of rules: the one that is installed, else that of Debian's package, unpacked beside the tests.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'promtool');
const UNPACKED = join(FOLDER, 'usr', 'bin', 'promtool');

/** null where it cannot be had; then what needs it is skipped and says so. */
export function findPromtool(): string | null {
  if (spawnSync('promtool', ['--version']).status === 0) return 'promtool';
  if (!existsSync(UNPACKED)) unpack();
  return existsSync(UNPACKED) ? UNPACKED : null;
}

/** Downloaded and unpacked, not installed: no service is started, nothing of the machine is changed. */
function unpack(): void {
  mkdirSync(FOLDER, { recursive: true });
  const download = () => spawnSync('apt-get', ['download', 'prometheus'], { cwd: FOLDER }).status === 0;
  if (!download()) {
    const isRoot = process.getuid?.() === 0;
    const updated = isRoot
      ? spawnSync('apt-get', ['update'])
      : spawnSync('sudo', ['-n', 'apt-get', 'update']);
    if (updated.status !== 0 || !download()) return;
  }
  const archive = readdirSync(FOLDER).find((name) => name.endsWith('.deb'));
  if (archive) spawnSync('dpkg-deb', ['-x', archive, '.'], { cwd: FOLDER });
}
