// Options, account selection and errors shared by the commands that query a running service.

import type { ParseArgsConfig } from 'node:util';
import { createTallycast, type Tallycast, TallycastError } from '../../packages/client-js/src/index.ts';
import { errorMessage, UsageError } from '../runtime/errors.ts';
import { readOptions, readPositive } from './arguments.ts';
import { type Command, FAILED, note, type Terminal } from './command.ts';
import { toPrintableText } from './text-table.ts';

const DEFAULT_URL = 'http://127.0.0.1:8080';

export const ASK_OPTIONS_HELP = `  --url URL     service address (TALLYCAST_URL, default ${DEFAULT_URL})
  --key KEY     API key (TALLYCAST_KEY)
  --account X   a, b, ... or a segment (default: all)
  --json        print JSON`;

const COMMON = {
  url: { type: 'string' },
  key: { type: 'string' },
  account: { type: 'string' },
  json: { type: 'boolean' },
} as const;

export interface Asking {
  client: Tallycast;
  /** Account segments, in the service's order. */
  accounts: readonly string[];
  isJson: boolean;
  /** Values of the options specific to this command. */
  own: Readonly<Record<string, string | boolean | undefined>>;
}

export interface Answer {
  json: unknown;
  text(): string;
  exitCode?: number;
}

/** Runs a command that makes one request. */
export function createQuestion(
  ownOptions: NonNullable<ParseArgsConfig['options']>,
  ask: (asking: Asking, terminal: Terminal) => Promise<Answer>,
): Command['run'] {
  return createAsk(ownOptions, async (asking, terminal) => {
    const { json, text, exitCode } = await ask(asking, terminal);
    // Titles are untrusted, so strip control characters.
    terminal.output.write(asking.isJson ? `${JSON.stringify(json, null, 2)}\n` : toPrintableText(text()));
    return exitCode;
  });
}

export function createAsk(
  ownOptions: NonNullable<ParseArgsConfig['options']>,
  work: (asking: Asking, terminal: Terminal) => Promise<number | undefined>,
): Command['run'] {
  return async (args, terminal) => {
    const { url, key, account, json, ...own } = readAll(args, ownOptions);
    const address = readUrl(url ?? (terminal.env.TALLYCAST_URL || DEFAULT_URL));
    const apiKey = key ?? (terminal.env.TALLYCAST_KEY || undefined);
    try {
      const accounts = await findAccounts(address, account);
      const client = createTallycast({ url: address, apiKey });
      return await work({ client, accounts, isJson: json ?? false, own }, terminal);
    } catch (error) {
      if (error instanceof UsageError) throw error;
      note(terminal, toPrintableText(explainFailedCall(error, address)));
      return FAILED;
    }
  };
}

type Common = { url?: string; key?: string; account?: string; json?: boolean };

function readAll(args: readonly string[], ownOptions: NonNullable<ParseArgsConfig['options']>) {
  const { values } = readOptions(args, { ...COMMON, ...ownOptions });
  return values as Common & Record<string, string | boolean | undefined>;
}

/** Runs a command that makes one request per account. */
export async function forEach<T>(
  accounts: readonly string[],
  ask: (account: string) => Promise<T>,
): Promise<T[]> {
  return Promise.all(accounts.map(ask));
}

export function readBankroll(own: Asking['own']): number | undefined {
  return typeof own.bankroll === 'string' ? readPositive('--bankroll', own.bankroll) : undefined;
}

/** Account names come from the service; a, b and c mean the first, second and third. */
async function findAccounts(url: string, account: string | undefined): Promise<string[]> {
  const response = await fetch(new URL('/config.json', url));
  const { accounts } = (await response.json()) as { accounts: { segment: string }[] };
  const segments = accounts.map(({ segment }) => segment);
  if (account === undefined) return segments;
  const segment = segments.includes(account)
    ? account
    : segments['abcdefghijklmnopqrstuvwxyz'.indexOf(account)];
  if (account === '' || segment === undefined)
    throw new UsageError(`--account must be a letter or one of ${segments.join(', ')}`);
  return [segment];
}

export function readUrl(text: string): string {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text))
    throw new UsageError(`--url: "${text}" is not an http(s) address`);
  return text;
}

export function explainFailedCall(error: unknown, url: string): string {
  if (!(error instanceof TallycastError)) {
    const cause = error instanceof Error && error.cause instanceof Error ? errorMessage(error.cause) : '';
    return `no response from ${url} (${cause || errorMessage(error)}). Start it with npx tallycast start.`;
  }
  if (error.status !== 401) return error.message;
  return `${error.message}\nPass --key or set TALLYCAST_KEY; npx tallycast keys issue creates a key.`;
}
