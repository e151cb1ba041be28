// The commands that ask a running service: which there are, what they take, how they fail.

import { createTallycast, type Tallycast, TallycastError } from '../../packages/client-js/src/index.ts';
import type { Clock } from '../runtime/clock.ts';
import { errorMessage, UsageError } from '../runtime/errors.ts';
import { type AskOptions, parseAsk } from './ask-options.ts';
import {
  describeEvents,
  describeForecasts,
  describePortfolios,
  describeSignals,
  describeStatus,
} from './describe.ts';
import { watch } from './watch.ts';

export interface AskIo {
  env: Readonly<Record<string, string | undefined>>;
  clock: Clock;
  output: { isTTY?: boolean; columns?: number; rows?: number; write(text: string): unknown };
  /** For people: problems and notes. */
  tell(text: string): void;
  signal: AbortSignal;
}

interface Asking extends AskOptions {
  client: Tallycast;
  accounts: readonly string[];
}

/** One answer per account. */
async function forEach<T>(accounts: readonly string[], ask: (account: string) => Promise<T>): Promise<T[]> {
  return Promise.all(accounts.map(ask));
}

type Command = (asking: Asking) => Promise<{ json: unknown; text: () => string }>;

const COMMANDS: Record<string, Command> = {
  async status({ client, accounts }) {
    const [health, counters] = await Promise.all([client.health(), forEach(accounts, client.counters)]);
    const byAccount = Object.fromEntries(accounts.map((account, i) => [account, counters[i]!.data]));
    return { json: { ...health, accounts: byAccount }, text: () => describeStatus(health, byAccount) };
  },
  async events({ client, accounts }) {
    const answers = await forEach(accounts, client.counters);
    return { json: answers, text: () => describeEvents(accounts, answers) };
  },
  async forecast({ client, accounts }) {
    const [answers, counters] = await Promise.all([
      forEach(accounts, client.forecast),
      forEach(accounts, client.counters),
    ]);
    return { json: answers, text: () => describeForecasts(accounts, answers, counters) };
  },
  async signals({ client, accounts, bankrollUsd, isOnlyActionable }) {
    const query = { bankroll: bankrollUsd, only_with_signals: isOnlyActionable };
    const answers = await forEach(accounts, (account) => client.signals(account, query));
    return { json: answers, text: () => describeSignals(accounts, answers) };
  },
  async portfolio({ client, accounts, wallet, bankrollUsd }) {
    if (wallet === undefined) throw new UsageError('portfolio needs --wallet 0x...');
    const query = { wallet, bankroll: bankrollUsd };
    const answers = await forEach(accounts, (account) => client.portfolio(account, query));
    return { json: answers, text: () => describePortfolios(accounts, answers) };
  },
};

/** The exit code: 0 done, 1 failed; wrong usage is thrown. */
export async function runAsk(argv: readonly string[], io: AskIo): Promise<number> {
  const options = parseAsk(argv, io.env);
  if (options.help !== null) {
    io.output.write(options.help);
    return 0;
  }
  const client = createTallycast({ url: options.url, apiKey: options.apiKey });
  try {
    const accounts = await findAccounts(options);
    if (options.command === 'watch') return await watch({ ...options, client, accounts }, io);
    const { json, text } = await COMMANDS[options.command]!({ ...options, client, accounts });
    io.output.write(options.isJson ? `${JSON.stringify(json, null, 2)}\n` : text());
    return options.command === 'status' && (json as { status?: string }).status !== 'ok' ? 1 : 0;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    io.tell(explain(error, options.url));
    return 1;
  }
}

/** The service knows what its accounts are called; a and b stand for the first and the second. */
async function findAccounts({ url, account }: AskOptions): Promise<string[]> {
  const response = await fetch(new URL('/config.json', url));
  const { accounts } = (await response.json()) as { accounts: { segment: string }[] };
  const segments = accounts.map(({ segment }) => segment);
  if (account === undefined) return segments;
  const segment = segments.includes(account) ? account : segments[['a', 'b'].indexOf(account)];
  if (segment === undefined) throw new UsageError(`--account is a, b or one of ${segments.join(', ')}`);
  return [segment];
}

function explain(error: unknown, url: string): string {
  if (!(error instanceof TallycastError)) {
    const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : '';
    return `no answer from ${url} (${errorMessage(error)}${cause}); is it running? npx tallycast serve`;
  }
  if (error.status !== 401) return error.message;
  return `${error.message}\ngive a key with --key or TALLYCAST_KEY; npx tallycast keys issue makes one`;
}
