// Fills a folder with the contents of a container image: the npm package and the Node program that runs it.
// Used by deploy/Containerfile and its test. node scripts/image-root.mjs FOLDER [TARBALL]

import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, realpathSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const [target, given] = process.argv.slice(2);
if (!target) {
  process.stderr.write('usage: node scripts/image-root.mjs FOLDER [TARBALL]\n');
  process.exit(2);
}

mkdirSync(target, { recursive: true });
const tarball = given ?? pack(target);
execFileSync('tar', ['-xzf', tarball, '-C', target, '--strip-components=1'], { stdio: ['ignore', 2, 2] });
if (!given) rmSync(tarball);
cpSync(realpathSync(join(root, 'node_modules/.bin/node')), join(target, 'bin/node'));

function pack(folder) {
  const args = ['pack', '--silent', '--pack-destination', folder];
  const packed = execFileSync('npm', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 2] });
  return join(folder, packed.trim().split('\n').at(-1));
}
