// Every operator command with its --help summary. A command's module, which has its usage, options and work,
// is loaded only when it runs.

import { type CommandEntry, listGroups } from './command.ts';

function entry(name: string, summary: string, load: CommandEntry['load']): CommandEntry {
  return { name, summary, load };
}

const GROUPS: readonly [string, readonly CommandEntry[]][] = [
  [
    'service',
    [
      entry(
        'start',
        'run the service (on the simulator unless live sources are configured)',
        () => import('./commands/start.ts'),
      ),
      entry(
        'config',
        'print the effective configuration; --help lists the settings',
        () => import('./commands/config.ts'),
      ),
      entry('accounts', 'list and add known accounts', () => import('./commands/accounts.ts')),
      entry('doctor', 'check every configured source', () => import('./commands/doctor.ts')),
      entry(
        'trade',
        'place orders that follow the advice, on paper by default',
        () => import('./commands/trade.ts'),
      ),
      entry('simulator', 'run the simulator without the service', () => import('./commands/simulator.ts')),
    ],
  ],
  [
    'query a running service',
    [
      entry('status', 'show service health and counts', () => import('./commands/status.ts')),
      entry(
        'forecast',
        'forecast final counts, from the service or a history file',
        () => import('./commands/forecast.ts'),
      ),
      entry('signals', 'list signals with stake sizes (PRO)', () => import('./commands/signals.ts')),
      entry(
        'portfolio',
        "compare a wallet's positions with the model (PRO)",
        () => import('./commands/portfolio.ts'),
      ),
      entry('mcp', 'serve an agent over stdin and stdout', () => import('./commands/mcp.ts')),
    ],
  ],
  [
    'store and keys',
    [
      entry('keys', 'issue, list, revoke and rotate API keys', () => import('./commands/keys.ts')),
      entry('payments', 'list, reconcile and export payments', () => import('./commands/payments.ts')),
      entry('import', 'import a history file', () => import('./commands/import.ts')),
      entry(
        'export',
        'export posts, prices, counts, forecasts or advice',
        () => import('./commands/export.ts'),
      ),
      entry('backup', 'back up the whole store to one file', () => import('./commands/backup.ts')),
      entry(
        'verify',
        'verify sealed forecasts in a file or in the store',
        () => import('./commands/verify.ts'),
      ),
      entry('transfer', 'copy a SQLite store to PostgreSQL', () => import('./commands/transfer.ts')),
    ],
  ],
  [
    'analysis',
    [
      entry(
        'backtest',
        'score the forecaster or the signals on historical data',
        () => import('./commands/backtest.ts'),
      ),
    ],
  ],
];

export const COMMANDS: readonly CommandEntry[] = GROUPS.flatMap(([, entries]) => entries);

export function findCommand(name: string): CommandEntry | undefined {
  return COMMANDS.find((command) => command.name === name);
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
  --json         print one JSON value

examples:
  npx tallycast start --port 8080
  KEY=$(npx tallycast keys issue --tier PRO --label me)
  npx tallycast signals --bankroll 500 --key $KEY
  npx tallycast forecast --json | jq '.[0].data[0].forecast'
  npx tallycast import history.csv --account a
  npx tallycast export posts posts.parquet --account a --from 2026-10-01

exit codes: 0 success, 1 failure, 2 usage error
`;
}
