// Registry of operator commands with their --help summaries. A command's module is loaded only when it runs.

import { type CommandEntry, listGroups } from './command.ts';

const SERVICE: readonly CommandEntry[] = [
  {
    name: 'start',
    aliases: ['serve'],
    summary: 'run the service (on the simulator unless live sources are configured)',
    load: () => import('./commands/start.ts'),
  },
  {
    name: 'config',
    summary: 'print the effective configuration; --help lists every setting',
    load: () => import('./commands/config.ts'),
  },
  {
    name: 'accounts',
    summary: 'list and add known accounts',
    load: () => import('./commands/accounts.ts'),
  },
  { name: 'doctor', summary: 'check every configured source', load: () => import('./commands/doctor.ts') },
  {
    name: 'replay',
    summary: 'run the source adapters on recorded platform traffic',
    load: () => import('./commands/replay.ts'),
  },
  {
    name: 'trade',
    summary: 'place orders that follow the advice, on paper by default',
    load: () => import('./commands/trade.ts'),
  },
  {
    name: 'simulator',
    aliases: ['world'],
    summary: 'run the simulator without the service',
    load: () => import('./commands/simulator.ts'),
  },
];

const ASKING: readonly CommandEntry[] = [
  { name: 'status', summary: 'show service health and counts', load: () => import('./commands/status.ts') },
  {
    name: 'watch',
    summary: 'follow counts, posts and prices live',
    load: () => import('./commands/watch.ts'),
  },
  {
    name: 'events',
    summary: 'list open events with counts, differences and time left',
    load: () => import('./commands/events.ts'),
  },
  {
    name: 'forecast',
    summary: 'forecast final counts, from the service or a history file',
    load: () => import('./commands/forecast.ts'),
  },
  {
    name: 'signals',
    summary: 'list signals with stake sizes (PRO)',
    load: () => import('./commands/signals.ts'),
  },
  {
    name: 'portfolio',
    summary: "compare a wallet's positions with the model (PRO)",
    load: () => import('./commands/portfolio.ts'),
  },
  {
    name: 'telegram',
    summary: 'link a Telegram chat to your alerts (PRO)',
    load: () => import('./commands/telegram.ts'),
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
    summary: 'import a history file',
    load: () => import('./commands/import.ts'),
  },
  {
    name: 'export',
    summary: 'export posts, prices, counts, order books or forecasts',
    load: () => import('./commands/export.ts'),
  },
  {
    name: 'backup',
    summary: 'back up the whole store to one file',
    load: () => import('./commands/backup.ts'),
  },
  {
    name: 'verify',
    summary: 'verify sealed forecasts in a file or in the store',
    load: () => import('./commands/verify.ts'),
  },
  {
    name: 'restore',
    summary: 'restore a backup into the store',
    load: () => import('./commands/restore.ts'),
  },
];

const STUDYING: readonly CommandEntry[] = [
  {
    name: 'backtest',
    summary: 'score the forecaster or the signals on historical data',
    load: () => import('./commands/backtest.ts'),
  },
];

const GROUPS: readonly [string, readonly CommandEntry[]][] = [
  ['service', SERVICE],
  ['query a running service', ASKING],
  ['store and keys', KEEPING],
  ['analysis', STUDYING],
];

export const COMMANDS: readonly CommandEntry[] = GROUPS.flatMap(([, entries]) => entries);

export function findCommand(name: string): CommandEntry | undefined {
  return COMMANDS.find((entry) => entry.name === name || entry.aliases?.includes(name));
}

export function describeCommands(): string {
  return `tallycast: counts, forecasts and sized signals for prediction markets on post counts

usage: npx tallycast COMMAND [options]        npx tallycast COMMAND --help        npx tallycast --version

${listGroups(GROUPS)}

npx tallycast lab --help lists scenarios, benches, diagnostics and rare operations.

options for querying a running service:
  --url URL      service address (TALLYCAST_URL, default http://127.0.0.1:8080)
  --key KEY      API key (TALLYCAST_KEY)
  --account X    a, b, ... or a segment (default: all)
  --json         print one JSON value, or one per line for watch

examples:
  npx tallycast start --port 8080
  KEY=$(npx tallycast keys issue --tier PRO --label me)
  npx tallycast watch --account a
  npx tallycast signals --bankroll 500 --key $KEY
  npx tallycast forecast --json | jq '.[0].data[0].forecast'
  npx tallycast import history.csv --account a
  npx tallycast export posts posts.parquet --account a --from 2026-10-01

exit codes: 0 success, 1 failure, 2 usage error
`;
}
