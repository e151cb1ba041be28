// The backtest of signals: a history of posts, a history of prices, and what following the signals and the strategy
// gates would have brought. Files and streams are handed in.

import { profileOfLetter } from '../domain/account-profile.ts';
import { parseHistory } from '../forecast/backtest/read-history.ts';
import { getAccountParameters } from '../forecast/parameters.ts';
import type { resampleBlocks } from '../forecast/scoring/block-bootstrap.ts';
import { UsageError } from '../runtime/errors.ts';
import { parsePrices } from '../trade/backtest/price-file.ts';
import { formatSignalTables } from '../trade/backtest/signal-table.ts';
import { type SignalStep, walkSignals } from '../trade/backtest/signal-walk.ts';
import { getSizingRules } from '../trade/sizing/sizing-rules.ts';
import { readOptions, required } from './arguments.ts';
import { type FileAccess, readParsed } from './files.ts';

export function runSignalBacktest(
  args: readonly string[],
  io: FileAccess,
  random: Parameters<typeof resampleBlocks>[3],
): void {
  const options = parseOptions(args);
  const rules = getSizingRules(profileOfLetter(options.accountId));
  const plan = {
    history: readParsed(io, options.postsFile, parseHistory),
    parameters: getAccountParameters(profileOfLetter(options.accountId)),
    snapshots: readParsed(io, options.pricesFile, parsePrices),
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

function parseOptions(args: readonly string[]) {
  const flag = { type: 'string' } as const;
  const { values } = readOptions(args, {
    signals: { type: 'boolean' },
    posts: flag,
    prices: flag,
    account: flag,
    leads: flag,
    'fee-rate': flag,
    'model-weight': flag,
    ndjson: flag,
  });
  return {
    postsFile: required(values.posts, '--posts'),
    pricesFile: required(values.prices, '--prices'),
    accountId: values.account ?? 'a',
    horizonsH: (values.leads ?? '72,48,24,6').split(',').map((lead) => positive(lead, 'leads')),
    feeRate: positive(values['fee-rate'] ?? '0.05', 'fee-rate', true),
    modelWeight: parseWeight(values['model-weight']),
    ndjsonFile: values.ndjson,
  };
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
