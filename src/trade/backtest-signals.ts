// The backtest of signals as a command: a history of posts, a history of prices, and what following the signals and
// the strategy gates would have brought. Files and streams are handed in.

import { parseArgs } from 'node:util';
import { profileOfLetter } from '../domain/account-profile.ts';
import type { CommandIo } from '../forecast/backtest/command.ts';
import { UsageError } from '../forecast/backtest/options.ts';
import { parseHistory } from '../forecast/backtest/read-history.ts';
import { getAccountParameters } from '../forecast/parameters.ts';
import type { resampleBlocks } from '../forecast/scoring/block-bootstrap.ts';
import { parsePrices } from './backtest/price-file.ts';
import { formatSignalTables } from './backtest/signal-table.ts';
import { type SignalStep, walkSignals } from './backtest/signal-walk.ts';
import { getSizingRules } from './sizing/sizing-rules.ts';

export const SIGNALS_USAGE = `npm run -s backtest -- --signals --posts FILE.csv --prices FILE.csv [--account a|b]
  [--leads 72,48,24,6] [--fee-rate 0.05] [--model-weight 0..1] [--ndjson FILE]`;

export function runSignalBacktest(
  args: string[],
  io: CommandIo,
  random: Parameters<typeof resampleBlocks>[3],
): void {
  const options = parseOptions(args);
  const rules = getSizingRules(profileOfLetter(options.accountId));
  const plan = {
    history: parseHistory(io.readText(options.postsFile)),
    parameters: getAccountParameters(profileOfLetter(options.accountId)),
    snapshots: parsePrices(io.readText(options.pricesFile)),
    horizonsH: options.horizonsH,
    fee: { rate: options.feeRate, exponent: 1 },
    rules,
    modelWeight: options.modelWeight,
  };
  const steps: SignalStep[] = [];
  for (const step of walkSignals(plan)) {
    steps.push(step);
    if (steps.length % 25 === 0) io.tell(`${steps.length} ladders\n`);
  }
  io.print(formatSignalTables(steps, rules, random));
  if (options.ndjsonFile) {
    const lines = steps.flatMap((step) => step.signals.map((signal) => JSON.stringify(signal)));
    io.writeText(options.ndjsonFile, lines.map((line) => `${line}\n`).join(''));
  }
}

function parseOptions(args: string[]) {
  const flag = { type: 'string' } as const;
  let values: Record<string, string | boolean | undefined>;
  try {
    values = parseArgs({
      args,
      options: {
        signals: { type: 'boolean' },
        posts: flag,
        prices: flag,
        account: flag,
        leads: flag,
        'fee-rate': flag,
        'model-weight': flag,
        ndjson: flag,
      },
    }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
  const text = (name: string) => (typeof values[name] === 'string' ? values[name] : undefined);
  return {
    postsFile: required(text('posts'), 'posts'),
    pricesFile: required(text('prices'), 'prices'),
    accountId: text('account') ?? 'a',
    horizonsH: (text('leads') ?? '72,48,24,6').split(',').map((lead) => positive(lead, 'leads')),
    feeRate: positive(text('fee-rate') ?? '0.05', 'fee-rate', true),
    modelWeight: parseWeight(text('model-weight')),
    ndjsonFile: text('ndjson'),
  };
}

function required(value: string | undefined, name: string): string {
  if (value === undefined) throw new UsageError(`--${name} is missing`);
  return value;
}

/** Absent: learned from the events that were over by then. */
function parseWeight(text: string | undefined): number | null {
  if (text === undefined) return null;
  const weight = Number(text);
  if (!(weight >= 0 && weight <= 1)) throw new UsageError(`--model-weight: ${text} is not between 0 and 1`);
  return weight;
}

function positive(text: string, name: string, mayBeZero = false): number {
  const value = Number(text);
  if (!(Number.isFinite(value) && (value > 0 || (mayBeZero && value === 0)))) {
    throw new UsageError(`--${name}: ${text} is not a positive number`);
  }
  return value;
}
