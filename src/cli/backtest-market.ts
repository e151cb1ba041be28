// Backtest against the market: scores model and market on past posts and prices, and reports the return from
// following the advice.

import { profileOfLetter } from '../domain/account-profile.ts';
import { describeGap, measureGap, parseOracleCounts } from '../forecast/backtest/oracle-file.ts';
import { createTimeline } from '../forecast/time/timeline.ts';
import { createRandom, type Random } from '../runtime/random.ts';
import { compareAll, type MarketComparison, scoreLadders } from '../trade/backtest/market-score.ts';
import { formatSignalTables, RULE_COLUMNS, tabulateRules } from '../trade/backtest/signal-table.ts';
import { type SignalStep, toLearned, walkSignals } from '../trade/backtest/signal-walk.ts';
import { learnEvidence } from '../trade/edges/learn-evidence.ts';
import { parseBacktestOptions } from './backtest-options.ts';
import { formatAdvice, formatEvidence, parseMarketOptions, planWalk } from './backtest-walk.ts';
import { type FileAccess, readParsed, readPosts } from './files.ts';
import { formatTable } from './text-table.ts';

export function runMarketBacktest(args: readonly string[], io: FileAccess): void {
  const { accountId, postsFile, columns, oracleFile } = parseBacktestOptions(args);
  const options = parseMarketOptions(args);
  const history = readPosts(io, postsFile, columns);
  const oracle = oracleFile ? readParsed(io, oracleFile, parseOracleCounts) : [];
  const finals = new Map(oracle.map(({ window, count }) => [`${window.startTs} ${window.endTs}`, count]));
  const plan = {
    ...planWalk(options, history, profileOfLetter(accountId), io),
    findFinal: ({ startTs, endTs }: { startTs: number; endTs: number }) =>
      finals.get(`${startTs} ${endTs}`) ?? null,
  };
  const steps = [...walkSignals(plan)];
  const { counted } = createTimeline(history);
  if (oracle.length > 0) {
    const both = oracle.map(({ window, count }) => ({
      history: counted.countBefore(window.endTs) - counted.countBefore(window.startTs),
      oracle: count,
    }));
    io.print(`${describeGap(measureGap(both))}\n`);
  }
  const rows = compareAll(scoreLadders(steps, counted), createRandom(1));
  io.print('bucket log score (lower is better), and difference from the market with 90 % intervals\n');
  io.print(
    formatTable(
      ['', 'n', 'events', 'market', 'model', 'blended', 'shipped', 'model - market', 'blended - market'],
      rows.map(toRow),
    ),
  );
  io.print(
    'blended: weights learned from earlier events; shipped: the weights that a new service starts with\n',
  );
  io.print(`\n${formatAdvice(steps, options, createRandom(1))}`);
  io.print(`\n${formatEvidence(plan.prior, learnEvidence(steps.map(toLearned), plan.prior))}`);
  io.print(
    `\nrules on these ladders, including those that a rule was chosen on (half-spread ${plan.halfSpread})\n`,
  );
  io.print(formatTable(RULE_COLUMNS, tabulateRules(steps, plan)));
  if (options.ndjsonFile) io.writeText(options.ndjsonFile, steps.map(toLine).join(''));
}

/** One moment of one event, as a line of JSON. */
function toLine({
  eventId,
  horizonH,
  snapshot,
  sample,
  final,
  blended,
  isWhole,
  signals,
}: SignalStep): string {
  const { model, prices, winner } = sample;
  return `${JSON.stringify({
    ...{ eventId, ...snapshot.window, ts: snapshot.ts, leadHours: horizonH, isWhole, final },
    ...{ buckets: snapshot.points.map(({ label }) => label), prices, model, blended, winner, bets: signals },
  })}\n`;
}

function toRow(row: MarketComparison): (string | number)[] {
  const gap = (own: number, { lo, hi }: { lo: number; hi: number }) =>
    `${signed(own - row.market)} [${signed(lo)}, ${signed(hi)}]`;
  const score = (value: number) => value.toFixed(3);
  return [
    row.name,
    row.ladders,
    row.events,
    score(row.market),
    score(row.model),
    score(row.blended),
    score(row.shipped),
    gap(row.model, row.modelGain),
    gap(row.blended, row.blendedGain),
  ];
}

function signed(value: number): string {
  return `${value < 0 ? '' : '+'}${value.toFixed(3)}`;
}

export function runSignalBacktest(args: readonly string[], io: FileAccess, random: Random): void {
  const { postsFile, columns, accountId } = parseBacktestOptions(args);
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
