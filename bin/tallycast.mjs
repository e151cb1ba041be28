#!/usr/bin/env node
// npx tallycast COMMAND: finds the Node that the service needs and runs the command's own program with it.
// Plain JavaScript on purpose: it runs under whatever Node the machine has (20 or later).

import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const NODE_MAJOR = 24;

/** Commands that ask a running service share one program. */
const COMMANDS = {
  serve: ['serve.ts', 'run the service (on the pretend world unless live sources are configured)'],
  status: ['ask.ts', 'is the service well, and what are the counts'],
  watch: ['ask.ts', 'live view: counters, posts, prices as they happen'],
  events: ['ask.ts', 'active events with counters, deltas and time left'],
  forecast: ['ask.ts', 'forecasts of the final counts; with --posts FILE.csv from a history file instead'],
  signals: ['ask.ts', 'sized signals (PRO)'],
  portfolio: ['ask.ts', "a wallet's positions against the model (PRO)"],
  keys: ['keys.ts', 'issue, list, revoke and rotate API keys'],
  payments: ['payments.ts', 'list, reconcile and export payments'],
  import: ['import.ts', 'load a history file into the store'],
  backtest: ['backtest.ts', 'score the forecaster on a history file'],
  annotate: ['annotate.ts', 'write a note into the performance history'],
  doctor: ['doctor.ts', 'look at every configured source and say what is wrong'],
  config: ['config.ts', 'show the effective configuration'],
  backup: ['backup.ts', 'write everything stored into one file'],
  restore: ['restore.ts', 'put a backup into the store'],
  'migrate-store': ['migrate-store.ts', 'move the store from one engine to another'],
  world: ['world.ts', 'run the pretend world alone'],
};

/** For programs that print no help of their own. */
const USAGES = {
  backtest: `usage: npx tallycast backtest --posts FILE.csv [--account a|b] [--window 2d|7d|month] [--report DIR]

Walks forward through a history file and scores the forecaster and every baseline on each window.

examples:
  npx tallycast backtest --posts history.csv --window 7d --leads 24,48,72 --report out
`,
  backup: `usage: npx tallycast backup FILE [--force] [--data-dir DIR]

examples:
  npx tallycast backup tallycast-backup.tar
`,
  restore: `usage: npx tallycast restore FILE [--force] [--data-dir DIR]

examples:
  npx tallycast restore tallycast-backup.tar --data-dir ./data
`,
  'migrate-store': `usage: npx tallycast migrate-store --from sqlite DIR --to postgres URL [--force]

examples:
  npx tallycast migrate-store --from sqlite ./data --to postgres postgres://user@host/tallycast
`,
};

const HELP = `tallycast: counts, forecasts and sized signals for prediction markets on post counts

usage: npx tallycast COMMAND [options]        npx tallycast COMMAND --help

${Object.entries(COMMANDS)
  .map(([name, [, words]]) => `  ${name.padEnd(14)} ${words}`)
  .join('\n')}

options of commands that ask a running service:
  --url URL      where it is        (TALLYCAST_URL, else http://127.0.0.1:8080)
  --key KEY      API key            (TALLYCAST_KEY)
  --account X    a, b or a segment  (both, where a command can show both)
  --json         one JSON value, or one per line for watch

examples:
  npx tallycast serve --port 8080
  KEY=$(npx tallycast keys issue --tier PRO --label me)
  npx tallycast watch --account a
  npx tallycast signals --bankroll 500 --key $KEY
  npx tallycast forecast --json | jq '.[0].data[0].forecast'
  npx tallycast import history.csv --account a

exit codes: 0 done, 1 failed, 2 wrong usage
`;

const [command, ...rest] = process.argv.slice(2);
if (command === undefined || command === 'help' || command === '--help' || command === '-h') {
  process.stdout.write(HELP);
  process.exit(command === undefined ? 2 : 0);
}
if (!Object.hasOwn(COMMANDS, command)) {
  process.stderr.write(`unknown command ${command}; npx tallycast --help lists all\n`);
  process.exit(2);
}
if (rest.includes('--help') && Object.hasOwn(USAGES, command)) process.stdout.write(USAGES[command]);
// What the service takes is its configuration, and that has a list of its own.
else if (rest.includes('--help') && command === 'serve') run('config', ['--help']);
else run(command, rest);

function run(name, args) {
  const setup = spawnSync(process.execPath, [join(root, 'scripts/setup.mjs'), ...setupWants(name)], {
    stdio: ['ignore', 2, 2],
  });
  if (setup.status !== 0) process.exit(1);
  const isFileForecast = name === 'forecast' && args.some((argument) => /^--posts(=|$)/.test(argument));
  const program = isFileForecast ? 'forecast.ts' : COMMANDS[name][0];
  const first = program === 'ask.ts' ? [name] : [];
  const child = spawn(findNode(), [join(root, 'src/bin', program), ...first, ...args], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)));
}

function setupWants(name) {
  return name === 'serve' ? ['--web'] : [];
}

function findNode() {
  if (Number(process.versions.node.split('.')[0]) >= NODE_MAJOR) return process.execPath;
  const own = join(root, 'node_modules/.bin/node');
  if (existsSync(own)) return own;
  process.stderr.write(`Node ${NODE_MAJOR} or later is needed; this is ${process.versions.node}\n`);
  process.exit(1);
}
