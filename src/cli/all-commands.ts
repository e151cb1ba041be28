// Every command by name, with the line that --help gives it. Each is loaded only when it is run.

import type { Command } from './command.ts';

export interface CommandEntry {
  name: string;
  /** Older or shorter names. */
  aliases?: readonly string[];
  summary: string;
  load(): Promise<Command>;
}

const SERVICE: readonly CommandEntry[] = [
  {
    name: 'start',
    aliases: ['serve'],
    summary: 'run the service (on the simulator unless live sources are configured)',
    load: () => import('./commands/start.ts'),
  },
  {
    name: 'config',
    summary: 'the effective configuration; its --help lists every setting',
    load: () => import('./commands/config.ts'),
  },
  {
    name: 'doctor',
    summary: 'look at every configured source and say what is wrong',
    load: () => import('./commands/doctor.ts'),
  },
  {
    name: 'record',
    summary: 'keep what the platforms say for some minutes, credentials and addresses removed',
    load: () => import('./commands/record.ts'),
  },
  {
    name: 'replay',
    summary: 'run the adapters on such a recording',
    load: () => import('./commands/replay.ts'),
  },
  {
    name: 'simulator',
    aliases: ['world'],
    summary: 'run the simulator alone',
    load: () => import('./commands/simulator.ts'),
  },
  {
    name: 'facilitator',
    summary: 'verify and settle per-call payments for your own service',
    load: () => import('./commands/facilitator.ts'),
  },
];

const ASKING: readonly CommandEntry[] = [
  {
    name: 'status',
    summary: 'is the service well, and what are the counts',
    load: () => import('./commands/status.ts'),
  },
  {
    name: 'watch',
    summary: 'live view: counters, posts, prices as they happen',
    load: () => import('./commands/watch.ts'),
  },
  {
    name: 'events',
    summary: 'active events with counters, deltas and time left',
    load: () => import('./commands/events.ts'),
  },
  {
    name: 'forecast',
    summary: 'forecasts of the final counts; with --posts FILE.csv from a history file instead',
    load: () => import('./commands/forecast.ts'),
  },
  { name: 'signals', summary: 'sized signals (PRO)', load: () => import('./commands/signals.ts') },
  {
    name: 'portfolio',
    summary: "a wallet's positions against the model (PRO)",
    load: () => import('./commands/portfolio.ts'),
  },
  {
    name: 'telegram',
    summary: 'link a Telegram chat, so that notices of your rules come there (PRO)',
    load: () => import('./commands/telegram.ts'),
  },
  {
    name: 'pay',
    summary: 'pay for one call, print answer and receipt',
    load: () => import('./commands/pay.ts'),
  },
];

const KEEPING: readonly CommandEntry[] = [
  {
    name: 'keys',
    summary: 'issue, list, revoke and rotate API keys',
    load: () => import('./commands/keys.ts'),
  },
  {
    name: 'payments',
    summary: 'list, reconcile and export payments',
    load: () => import('./commands/payments.ts'),
  },
  {
    name: 'import',
    summary: 'load a history file into the store',
    load: () => import('./commands/import.ts'),
  },
  {
    name: 'recheck',
    summary: 'work out recorded signals of settled events again',
    load: () => import('./commands/recheck.ts'),
  },
  {
    name: 'annotate',
    summary: 'write a note into the performance history',
    load: () => import('./commands/annotate.ts'),
  },
  {
    name: 'backup',
    summary: 'write everything stored into one file',
    load: () => import('./commands/backup.ts'),
  },
  { name: 'restore', summary: 'put a backup into the store', load: () => import('./commands/restore.ts') },
  {
    name: 'migrate-store',
    summary: 'move the store from one engine to another',
    load: () => import('./commands/migrate-store.ts'),
  },
];

const PROVING: readonly CommandEntry[] = [
  {
    name: 'backtest',
    summary: 'score the forecaster, or the signals, on a history file',
    load: () => import('./commands/backtest.ts'),
  },
  {
    name: 'bench',
    summary: 'every speed we claim, beside what you would run instead',
    load: () => import('./commands/bench.ts'),
  },
  {
    name: 'storm',
    summary: 'a failure run from a seed, judged by its invariants',
    load: () => import('./commands/storm.ts'),
  },
  {
    name: 'prove-counts',
    summary: "weeks of faults and kills, and every count against the simulator's truth",
    load: () => import('./commands/prove-counts.ts'),
  },
  {
    name: 'prove-cures',
    summary: 'undo what cured each past weakness, and see its test fail',
    load: () => import('./commands/prove-cures.ts'),
  },
  {
    name: 'prove-durability',
    summary: 'what is synced before it is acknowledged',
    load: () => import('./commands/prove-durability.ts'),
  },
  {
    name: 'prove-import',
    summary: 'a huge history file with wrong lines among its lines',
    load: () => import('./commands/prove-import.ts'),
  },
  {
    name: 'prove-siege',
    summary: 'every attack at once, from twenty addresses',
    load: () => import('./commands/prove-siege.ts'),
  },
  {
    name: 'prove-disk-full',
    summary: 'the disk full at every write',
    load: () => import('./commands/prove-disk-full.ts'),
  },
  {
    name: 'prove-notices',
    summary: 'many rules, hanging receivers and kill -9: every notice in time, none lost, none under two ids',
    load: () => import('./commands/prove-notices.ts'),
  },
  {
    name: 'prove-record',
    summary: 'what becomes of a bettor who follows the signals',
    load: () => import('./commands/prove-record.ts'),
  },
  {
    name: 'roles-proof',
    summary: 'leaders killed and the database restarted under load',
    load: () => import('./commands/roles-proof.ts'),
  },
  { name: 'fuzz', summary: 'mutated inputs to every parser', load: () => import('./commands/fuzz.ts') },
  {
    name: 'fuzz-http',
    summary: 'hostile requests over raw sockets',
    load: () => import('./commands/fuzz-http.ts'),
  },
];

const BUILDING: readonly CommandEntry[] = [
  {
    name: 'test',
    summary: 'all tests, those named, or those that a change touches',
    load: () => import('./commands/test.ts'),
  },
  {
    name: 'packages',
    summary: 'build and check the clients as they are published',
    load: () => import('./commands/packages.ts'),
  },
  {
    name: 'openapi',
    summary: 'write docs/openapi.json and the client from the routes',
    load: () => import('./commands/openapi.ts'),
  },
  {
    name: 'screenshots',
    summary: 'pictures of every page for the documentation',
    load: () => import('./commands/screenshots.ts'),
  },
];

const GROUPS: readonly [string, readonly CommandEntry[]][] = [
  ['the service', SERVICE],
  ['ask a running service', ASKING],
  ['what it keeps', KEEPING],
  ['measure and prove', PROVING],
  ['work on it', BUILDING],
];

export const COMMANDS: readonly CommandEntry[] = GROUPS.flatMap(([, entries]) => entries);

export function findCommand(name: string): CommandEntry | undefined {
  return COMMANDS.find((entry) => entry.name === name || entry.aliases?.includes(name));
}

export function describeCommands(): string {
  const width = Math.max(...COMMANDS.map(({ name }) => name.length));
  const listed = GROUPS.map(
    ([title, entries]) =>
      `${title}\n${entries.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`).join('\n')}`,
  );
  return `tallycast: counts, forecasts and sized signals for prediction markets on post counts

usage: npx tallycast COMMAND [options]        npx tallycast COMMAND --help

${listed.join('\n\n')}

options of commands that ask a running service:
  --url URL      where it is          (TALLYCAST_URL, else http://127.0.0.1:8080)
  --key KEY      API key              (TALLYCAST_KEY)
  --account X    a, b, ... or a segment  (all, where a command can show all)
  --json         one JSON value, or one per line for watch

examples:
  npx tallycast start --port 8080
  KEY=$(npx tallycast keys issue --tier PRO --label me)
  npx tallycast watch --account a
  npx tallycast signals --bankroll 500 --key $KEY
  npx tallycast forecast --json | jq '.[0].data[0].forecast'
  npx tallycast import history.csv --account a

exit codes: 0 done, 1 failed, 2 wrong usage
`;
}
