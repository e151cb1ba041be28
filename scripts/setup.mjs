// Prepares a bare checkout: installs packages, builds the page, finds a browser. Idempotent. Plain
// JavaScript, so that it runs on Node 20 or later.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { COMPILE_CACHE, JOINED_SERVICE, PACKED_SERVICE } from './built-folders.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const SOURCES = join(root, 'src/bin/tallycast.ts');
const JOINER = join(root, 'scripts/join-service.mjs');
/** A running service may still start a thread from its own files, so the last few builds are kept. */
const STATES_KEPT = 8;

/** Always installs packages; does 'clients', 'web', 'service', 'pack', 'browser' and 'python' on request. */
export function prepare(wants) {
  installPackages();
  if (wants.includes('clients')) generateClients();
  if (wants.includes('web')) buildPage();
  if (wants.includes('service')) findServiceEntry();
  if (wants.includes('pack')) packService();
  if (wants.includes('browser')) installBrowser();
  if (wants.includes('python')) installPython();
}

// Standalone: node scripts/setup.mjs [--clients] [--web] [--service] [--pack] [--browser] [--python]
if (process.argv[1] === fileURLToPath(import.meta.url))
  prepare(process.argv.slice(2).map((flag) => flag.replace(/^--/, '')));

function installPackages() {
  const stamp = digest([join(root, 'package-lock.json')]);
  const stampFile = join(root, 'node_modules/.tallycast-installed');
  if (readIfPresent(stampFile) === stamp) return;
  say('installing packages (once, under a minute) ...');
  // npm runs no package scripts, so the linking and unpacking they would do happens here.
  run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']);
  writeFileSync(stampFile, stamp);
}

/** Generates the clients' types from the endpoints; they are not in git. */
function generateClients() {
  const outputs = [
    'packages/client-js/src/generated/schema.ts',
    'packages/client-python/src/tallycast/client.py',
    'packages/client-python/src/tallycast/models.py',
    'packages/client-python/src/tallycast/_aio_endpoints.py',
    'packages/client-python/src/tallycast/_endpoints.py',
  ];
  const inputs = [
    'src',
    'scripts/generate',
    'packages/client-js/src/methods.ts',
    'packages/client-python/src/tallycast/aio.py',
  ];
  const stamp = stampOf(
    'clients',
    inputs.flatMap((path) => listFiles(join(root, path))),
  );
  const stampFile = join(root, 'packages/client-js/src/generated/.built-from');
  const isComplete = outputs.every((path) => existsSync(join(root, path)));
  if (isComplete && readIfPresent(stampFile) === stamp) return;
  run('node', ['scripts/generate/clients.ts']);
  writeFileSync(stampFile, stamp);
}

function buildPage() {
  const source = join(root, 'web');
  if (!existsSync(join(source, 'index.html'))) return;
  // The page also depends on the client's stream code and types.
  const stamp = stampOf('page', [...listFiles(source), ...listFiles(join(root, 'packages/client-js/src'))]);
  const stampFile = join(source, 'dist/.built-from');
  if (readIfPresent(stampFile) === stamp) return;
  say('building the page ...');
  run(join(root, 'node_modules/.bin/vite'), ['build', '--logLevel', 'warn', 'web']);
  mkdirSync(dirname(stampFile), { recursive: true });
  writeFileSync(stampFile, stamp);
}

/** Returns the bundled modules for the current sources if they exist, otherwise the sources. */
export function findEntry() {
  const { entry } = placeOfJoined();
  return entry !== null && existsSync(entry) ? entry : SOURCES;
}

/** Like findEntry, but builds the bundled modules if they are missing. */
export function findServiceEntry() {
  const { entry, folder } = placeOfJoined();
  if (entry === null || existsSync(entry)) return entry ?? SOURCES;
  // In a read-only folder, run from the sources, which is slightly slower.
  if (!isWritable(join(root, 'node_modules')) || !tryRun('node', [JOINER, folder])) return SOURCES;
  tryRun('node', ['scripts/warm.ts', folder], { NODE_COMPILE_CACHE: join(root, COMPILE_CACHE) });
  dropOldest(dirname(folder));
  return entry;
}

/** Builds the bundle that a package ships instead of sources, with its commit. */
function packService() {
  const folder = join(root, PACKED_SERVICE);
  rmSync(folder, { recursive: true, force: true });
  run('node', [JOINER, folder]);
  const { stdout } = spawnSync('git', ['rev-parse', '--short=12', 'HEAD'], { cwd: root, encoding: 'utf8' });
  writeFileSync(join(folder, 'commit'), stdout?.trim() || 'unknown');
  run('node', ['scripts/packages/bill-of-materials.ts', folder]);
  // For editors, at the path that the package lists.
  const schema = spawnSync('node', [join(folder, 'tallycast.mjs'), 'config', '--schema'], { cwd: root });
  if (schema.status !== 0) throw new Error(`no configuration schema: ${schema.stderr}`);
  writeFileSync(join(root, 'tallycast.config.schema.json'), schema.stdout);
}

function placeOfJoined() {
  if (!existsSync(JOINER) || !existsSync(join(root, 'node_modules/vite'))) return { entry: null, folder: '' };
  const stamp = stampOf('service', [
    JOINER,
    join(root, 'scripts/built-folders.mjs'),
    join(root, 'package-lock.json'),
    ...['src', 'simulator', 'packages/client-js/src']
      .flatMap((folder) => listFiles(join(root, folder)))
      .filter((file) => !file.endsWith('.test.ts')),
  ]);
  const folder = join(root, JOINED_SERVICE, stamp.slice(0, 16));
  return { entry: join(folder, 'tallycast.mjs'), folder };
}

function dropOldest(folder) {
  const byAge = readdirSync(folder)
    .map((name) => ({ path: join(folder, name), ts: statSync(join(folder, name)).mtimeMs }))
    .sort((left, right) => right.ts - left.ts);
  for (const { path } of byAge.slice(STATES_KEPT)) rmSync(path, { recursive: true, force: true });
}

function installBrowser() {
  if (
    process.env.CHROMIUM_PATH ||
    ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].some(existsSync)
  )
    return;
  if (!hasApt()) {
    say('Chromium not found. Install it or set CHROMIUM_PATH.');
    process.exit(1);
  }
  say('installing Chromium for the browser tests (once) ...');
  for (const command of aptCommands(['chromium'])) runQuiet(command);
}

/** Installs build and test dependencies of the Python package; without them, its tests are skipped. */
function installPython() {
  const modules = ['httpx', 'pandas', 'build', 'setuptools', 'wheel', 'venv', 'ensurepip', 'mypy'];
  const words = `import importlib.util as u, sys; sys.exit(any(u.find_spec(n) is None for n in ${JSON.stringify(modules)}))`;
  if (spawnSync('/usr/bin/python3', ['-c', words]).status === 0) return;
  if (!hasApt()) return say('apt-get not found: skipping the Python package tests');
  say('installing Python packages for the tests (once) ...');
  const names = ['httpx', 'pandas', 'build', 'setuptools', 'wheel', 'venv'].map((name) => `python3-${name}`);
  const failed = aptCommands([...names, 'mypy']).find(
    ([command, ...args]) => spawnSync(command, args, { stdio: 'ignore' }).status !== 0,
  );
  if (failed) say(`'${failed.join(' ')}' failed: skipping the Python package tests`);
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
  if (!tryRun(command, args, environment)) process.exit(1);
}

function tryRun(command, args, environment = {}) {
  const path = `${join(root, 'node_modules/.bin')}:${process.env.PATH}`;
  const { status } = spawnSync(command, args, {
    cwd: root,
    stdio: ['ignore', 2, 2],
    env: { ...process.env, ...environment, PATH: path },
  });
  if (status !== 0) say(`'${[command, ...args].join(' ')}' failed`);
  return status === 0;
}

function listFiles(folder) {
  if (statSync(folder).isFile()) return [folder];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    // Generated types are erased from every build.
    if (entry.name === 'dist' || entry.name === 'generated') return [];
    return entry.isDirectory() ? listFiles(path) : [path];
  });
}

/** Computes a digest of the files, reading them again only if a size or modification time has changed. */
function stampOf(name, files) {
  const hash = createHash('sha256');
  for (const file of files.sort()) {
    const { size, mtimeMs } = statSync(file);
    hash.update(`${file.slice(root.length)} ${size} ${mtimeMs}\n`);
  }
  const seen = hash.digest('hex');
  const memory = join(root, `node_modules/.cache/stamp-${name}`);
  const [seenBefore, stampBefore] = readIfPresent(memory)?.split(' ') ?? [];
  if (seenBefore === seen) return stampBefore;
  const stamp = digest(files);
  if (isWritable(join(root, 'node_modules'))) keep(memory, `${seen} ${stamp}`);
  return stamp;
}

/** Writes a new file, because the old one may be hard-linked to another checkout. */
function keep(file, text) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.${process.pid}`, text);
  renameSync(`${file}.${process.pid}`, file);
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
