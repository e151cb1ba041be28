#!/usr/bin/env node
// tallycast COMMAND: installs what is missing, then runs the command on the Node that the package needs.
// Plain JavaScript on purpose: it runs under whatever Node the machine has (20 or later).

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  COMPILE_CACHE,
  SERVICE_ENVIRONMENT,
  SERVICE_FLAGS,
  SERVICE_NODE_OPTIONS,
} from '../scripts/service-runtime.mjs';
import { findServiceEntry, prepare } from '../scripts/setup.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const NODE_MAJOR = 24;

/** Beside the packages; what a command is and takes is told by src/cli. */
const NEEDS = {
  start: ['web'],
  serve: ['web'],
  test: ['web', 'browser', 'python'],
  packages: ['python'],
  screenshots: ['web', 'browser'],
  'bench page': ['web', 'browser'],
};

const [command = '', ...rest] = process.argv.slice(2);
const asksForHelp = rest.includes('--help') || rest.includes('-h');
prepare(asksForHelp ? [] : (NEEDS[`${command} ${rest[0]}`] ?? NEEDS[command] ?? []));

const isService = command === 'start' || command === 'serve';
const entry = isService && !asksForHelp ? findServiceEntry() : join(root, 'src/bin/tallycast.ts');
const args = [...(isService ? SERVICE_FLAGS : []), entry, command, ...rest];
become(findNode(), command === '' ? args.slice(0, -1) : args, {
  NODE_COMPILE_CACHE: join(root, COMPILE_CACHE),
  ...process.env,
  ...(isService ? serviceEnvironment() : {}),
});

function serviceEnvironment() {
  const options = `${SERVICE_NODE_OPTIONS} ${process.env.NODE_OPTIONS ?? ''}`;
  return { ...SERVICE_ENVIRONMENT, NODE_OPTIONS: options.trim() };
}

/** Where Node can, this process becomes the command: nothing stays in between that costs memory or eats signals. */
function become(node, args, env) {
  if (typeof process.execve === 'function') process.execve(node, [node, ...args], env);
  const child = spawn(node, args, { stdio: 'inherit', env });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)));
}

function findNode() {
  if (Number(process.versions.node.split('.')[0]) >= NODE_MAJOR) return process.execPath;
  const own = join(root, 'node_modules/.bin/node');
  if (existsSync(own)) return own;
  process.stderr.write(`Node ${NODE_MAJOR} or later is needed; this is ${process.versions.node}\n`);
  process.exit(1);
}
