// Signal backtest: the return from following the advice and the strategy gates. File access is injected.

import { profileOfLetter } from '../domain/account-profile.ts';
import type { Random } from '../runtime/random.ts';
import { formatSignalTables } from '../trade/backtest/signal-table.ts';
import { type SignalStep, walkSignals } from '../trade/backtest/signal-walk.ts';
import { readOptions, required } from './arguments.ts';
import { parseMarketOptions, planWalk } from './backtest-walk.ts';
import { formatAdvice } from './describe-advice.ts';
import type { FileAccess } from './files.ts';
import { parseColumns, readPosts } from './read-posts.ts';

export function runSignalBacktest(args: readonly string[], io: FileAccess, random: Random): void {
  const { postsFile, columns, accountId } = parseOptions(args);
  const options = parseMarketOptions(args);
  const history = readPosts(io, postsFile, columns);
  const plan = planWalk(options, history, profileOfLetter(accountId), io);
  const steps: SignalStep[] = [];
  for (const step of walkSignals(plan)) {
    steps.push(step);
    if (steps.length % 25 === 0) io.report(`${steps.length} ladders\n`);
  }
  io.print(`${formatAdvice(steps, options, random)}\n`);
  io.print(formatSignalTables(steps, plan.rules, random));
  if (options.ndjsonFile) {
    const lines = steps.flatMap((step) => step.signals.map((signal) => JSON.stringify(signal)));
    io.writeText(options.ndjsonFile, lines.map((line) => `${line}\n`).join(''));
  }
}

/** Complete list of flags, so that a misspelt one is rejected. */
function parseOptions(args: readonly string[]) {
  const flag = { type: 'string' } as const;
  const { values } = readOptions(args, {
    signals: { type: 'boolean' },
    posts: flag,
    columns: flag,
    prices: flag,
    account: flag,
    leads: flag,
    'fee-rate': flag,
    'half-spread': flag,
    prior: flag,
    'model-weight': flag,
    ndjson: flag,
  });
  return {
    postsFile: required(values.posts, '--posts'),
    columns: parseColumns(values.columns),
    accountId: values.account ?? 'a',
  };
}
