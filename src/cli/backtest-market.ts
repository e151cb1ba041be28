// Backtest against the market: scores model and market on past posts and prices, and reports the return from
// following the advice.

import { profileOfLetter } from '../domain/account-profile.ts';
import { describeGap, measureGap, parseOracleCounts } from '../forecast/backtest/oracle-file.ts';
import { createTimeline } from '../forecast/time/timeline.ts';
import { createRandom } from '../runtime/random.ts';
import { compareAll, type MarketComparison, scoreLadders } from '../trade/backtest/market-score.ts';
import { RULE_COLUMNS, tabulateRules } from '../trade/backtest/rule-table.ts';
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
  if (oracle.length > 0) {
    const { counted } = createTimeline(history);
    const both = oracle.map(({ window, count }) => ({
      history: counted.countBefore(window.endTs) - counted.countBefore(window.startTs),
      oracle: count,
    }));
    io.print(`${describeGap(measureGap(both))}\n`);
  }
  const rows = compareAll(scoreLadders(steps), createRandom(1));
  io.print('bucket log score (lower is better), and difference from the market with 90 % intervals\n');
  io.print(
    formatTable(
      ['', 'n', 'events', 'market', 'model', 'blended', 'model - market', 'blended - market'],
      rows.map(toRow),
    ),
  );
  io.print('blended: weights learned from earlier events\n');
  io.print(`\n${formatAdvice(steps, options, createRandom(1))}`);
  // A weight that was given cannot be learned.
  if (plan.isLearning)
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
    gap(row.model, row.modelGain),
    gap(row.blended, row.blendedGain),
  ];
}

function signed(value: number): string {
  return `${value < 0 ? '' : '+'}${value.toFixed(3)}`;
}
