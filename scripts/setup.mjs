// Makes a bare checkout ready: installs packages, builds the page, finds a browser. Does nothing twice.
// Plain JavaScript on purpose: it runs under whatever Node the machine has (20 or later).

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { COMPILE_CACHE, SERVICE_FLAGS } from './service-runtime.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** Packages always; 'web', 'warm', 'browser' and 'python' when wanted. */
export function prepare(wants) {
  installPackages();
  if (wants.includes('web')) buildPage();
  if (wants.includes('warm')) warmCompileCache();
  if (wants.includes('browser')) installBrowser();
  if (wants.includes('python')) installPython();
}

// By itself: node scripts/setup.mjs [--web] [--warm] [--browser] [--python]
if (process.argv[1] === fileURLToPath(import.meta.url))
  prepare(process.argv.slice(2).map((flag) => flag.replace(/^--/, '')));

function installPackages() {
  const stamp = digest([join(root, 'package-lock.json')]);
  const stampFile = join(root, 'node_modules/.tallycast-installed');
  if (readIfPresent(stampFile) === stamp) return;
  say('installing packages (once, under a minute) ...');
  // Nobody else's programs are run by installing: what packages would link or unpack is done where it is needed.
  run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']);
  writeFileSync(stampFile, stamp);
}

function buildPage() {
  const source = join(root, 'web');
  if (!existsSync(join(source, 'index.html'))) return;
  // The page is built from the client's reader and types as well.
  const stamp = digest([...listFiles(source), ...listFiles(join(root, 'packages/client-js/src'))]);
  const stampFile = join(source, 'dist/.built-from');
  if (readIfPresent(stampFile) === stamp) return;
  say('building the page ...');
  run(join(root, 'node_modules/.bin/vite'), ['build', '--logLevel', 'warn', 'web']);
  mkdirSync(dirname(stampFile), { recursive: true });
  writeFileSync(stampFile, stamp);
}

function warmCompileCache() {
  const cache = join(root, COMPILE_CACHE);
  const stamp = digest([
    join(root, 'scripts/service-runtime.mjs'),
    join(root, 'package-lock.json'),
    ...listFiles(join(root, 'src')),
  ]);
  const stampFile = join(cache, '.warmed-for');
  // A read-only image starts without: a little slower, and nothing else.
  if (readIfPresent(stampFile) === stamp || !isWritable(join(root, 'node_modules'))) return;
  // Compiled code is kept per set of V8 flags: those of the service, or nothing is found again.
  run('node', [...SERVICE_FLAGS, 'scripts/warm.ts'], { NODE_COMPILE_CACHE: cache });
  mkdirSync(cache, { recursive: true });
  writeFileSync(stampFile, stamp);
}

function installBrowser() {
  if (
    process.env.CHROMIUM_PATH ||
    ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].some(existsSync)
  )
    return;
  if (!hasApt()) {
    say('no Chromium found: install it, or set CHROMIUM_PATH');
    process.exit(1);
  }
  say('installing Chromium for the browser tests (once) ...');
  for (const command of aptCommands(['chromium'])) runQuiet(command);
}

/** What the Python package is built and tested with. Where it cannot be had, its tests say so and are skipped. */
function installPython() {
  const modules = ['httpx', 'pandas', 'build', 'setuptools', 'wheel', 'venv', 'ensurepip', 'mypy'];
  const words = `import importlib.util as u, sys; sys.exit(any(u.find_spec(n) is None for n in ${JSON.stringify(modules)}))`;
  if (spawnSync('/usr/bin/python3', ['-c', words]).status === 0) return;
  if (!hasApt()) return say('no apt-get: the tests of the Python package are skipped');
  say('installing the Python packages for the tests (once) ...');
  const names = ['httpx', 'pandas', 'build', 'setuptools', 'wheel', 'venv'].map((name) => `python3-${name}`);
  const failed = aptCommands([...names, 'mypy']).find(
    ([command, ...args]) => spawnSync(command, args, { stdio: 'ignore' }).status !== 0,
  );
  if (failed) say(`'${failed.join(' ')}' failed: the tests of the Python package are skipped`);
}

function hasApt() {
  return process.platform === 'linux' && spawnSync('which', ['apt-get']).status === 0;
}

function aptCommands(packages) {
  const asRoot = process.getuid() === 0 ? [] : ['sudo', '-n'];
  const quietly = [...asRoot, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get'];
  return [
    [...quietly, 'update'],
    [...quietly, 'install', '-y', '--no-install-recommends', ...packages],
  ];
}

function runQuiet([command, ...args]) {
  const result = spawnSync(command, args, { encoding: 'utf8' });
  if (result.status === 0) return;
  process.stderr.write(`${result.stdout ?? ''}${result.stderr ?? ''}`);
  say(`'${[command, ...args].join(' ')}' failed`);
  process.exit(1);
}

function run(command, args, environment = {}) {
  const path = `${join(root, 'node_modules/.bin')}:${process.env.PATH}`;
  const { status } = spawnSync(command, args, {
    cwd: root,
    stdio: ['ignore', 2, 2],
    env: { ...process.env, ...environment, PATH: path },
  });
  if (status === 0) return;
  say(`'${[command, ...args].join(' ')}' failed`);
  process.exit(1);
}

function listFiles(folder) {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (name === 'dist') return [];
    return statSync(path).isDirectory() ? listFiles(path) : [path];
  });
}

function digest(files) {
  const hash = createHash('sha256');
  for (const file of files.sort()) hash.update(file.slice(root.length)).update(readFileSync(file));
  return hash.digest('hex');
}

function isWritable(path) {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function readIfPresent(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
}

function say(text) {
  process.stderr.write(`[setup] ${text}\n`);
}
