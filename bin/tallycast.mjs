#!/usr/bin/env node
// tallycast COMMAND: finds the code and a Node version to run it. In a checkout, first installs and builds
// what is missing. Plain JavaScript, so that it runs on Node 20 or later.

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import module from 'node:module';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { COMPILE_CACHE, PACKED_SERVICE } from '../scripts/built-folders.mjs';
import { findNode } from '../scripts/find-node.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** Extra setup that a command needs in a checkout. */
const NEEDS = {
  start: ['web'],
  test: ['clients', 'web', 'browser', 'python'],
  packages: ['clients', 'python'],
  screenshots: ['web', 'browser'],
  'bench page': ['web', 'browser'],
};

const [command = '', ...rest] = process.argv.slice(2);
const asksForHelp = rest.includes('--help') || rest.includes('-h');
const isService = command === 'start' && !asksForHelp;
const sources = join(root, 'src/bin/tallycast.ts');
const lab = join(root, 'lab/commands/main.ts');
const entry = existsSync(sources) ? await prepareCheckout() : join(root, PACKED_SERVICE, 'tallycast.mjs');

// The command may run in a process below this one, and ends with what started this one.
process.env.TALLYCAST_STARTER = String(process.ppid);
process.env.NODE_COMPILE_CACHE ??= join(root, COMPILE_CACHE);
const node = findNode() ?? process.exit(1);
if (node !== process.execPath) become(node, entry);
else await runHere();

async function prepareCheckout() {
  const { findEntry, findServiceEntry, prepare } = await import('../scripts/setup.mjs');
  prepare(asksForHelp ? [] : (NEEDS[`${command} ${rest[0]}`] ?? NEEDS[command] ?? []));
  if (isService) return findServiceEntry();
  return isLabTool() && existsSync(lab) ? lab : findEntry();
}

/** Any other word is looked up among the lab tools, which import sources and are never bundled. */
function isLabTool() {
  const name = command === 'help' ? rest[0] : command;
  const isWord = name !== undefined && /^[a-z]/.test(name);
  return isWord && !existsSync(join(root, 'src/cli/commands', `${name}.ts`));
}

/** Runs in this process, because starting a second one takes longer than most commands. */
async function runHere() {
  module.enableCompileCache(process.env.NODE_COMPILE_CACHE);
  await import(pathToFileURL(entry).href);
}

/** If possible, replaces this process with the command, so that no parent uses memory or delays signals. */
function become(node, file) {
  const args = [file, ...process.argv.slice(2)];
  if (typeof process.execve === 'function') process.execve(node, [node, ...args], process.env);
  const child = spawn(node, args, { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)));
}
