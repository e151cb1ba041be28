// Backtests on a history file walk-forward, prints the scores and writes the requested files. With --prices, compares
// them with a market and follows the advice.

import { profileOfLetter } from '../../domain/account-profile.ts';
import type { CountWindow } from '../../domain/market-event.ts';
import { HOUR_MS, MINUTE_MS } from '../../domain/units.ts';
import { formatForecastLine } from '../../forecast/backtest/describe-forecast.ts';
import {
  describeGap,
  measureGap,
  type OracleFinal,
  parseOracleCounts,
} from '../../forecast/backtest/oracle-file.ts';
import { parseGaps, parseSeenHistory } from '../../forecast/backtest/read-history.ts';
import { PRODUCT, ScoreBook, summariseLead } from '../../forecast/backtest/score-book.ts';
import { describeVerdicts, formatLeadTable } from '../../forecast/backtest/verdict.ts';
import { listWindows, type Sight, type WalkStep, walkForward } from '../../forecast/backtest/walk-forward.ts';
import { getAccountParameters } from '../../forecast/parameters.ts';
import { getMarketZone } from '../../forecast/time/market-zone.ts';
import { createTimeline } from '../../forecast/time/timeline.ts';
import type { CountDistribution, PostHistory } from '../../forecast/types.ts';
import { UsageError } from '../../runtime/errors.ts';
import { runMarketBacktest } from '../backtest-market.ts';
import { type BacktestOptions, parseBacktestOptions, planWindows } from '../backtest-options.ts';
import type { Command } from '../command.ts';
import { COLUMNS_HELP, type FileAccess, openFiles, readParsed, readPosts } from '../files.ts';
import { drawProgress } from '../progress.ts';

export const usage = `usage: npx tallycast backtest --posts FILE.csv [options]

Score the forecaster and every baseline on each window in a history file.

  --account a|b        counting rule and priors to use (a)
${COLUMNS_HELP}
  --window 2d|7d|month window length (7d)
  --starts tue,fri     weekdays on which windows start (daily)
  --from, --to DATE    only windows within these dates
  --leads 6,12,24      hours before the end at which to forecast
  --bucket-width 20    width of the buckets to score
  --gaps FILE.csv      outages to simulate, one start,end per line in milliseconds
  --as-seen            forecast only from posts already seen at the time; the file needs first_seen_ts, and
                       oracle_imported_ts for oracle counts (npx tallycast export posts writes both)
  --ndjson FILE        write one line per forecast, ladder or signal
  --oracle FILE        settle the windows by a CSV of final oracle counts (start_ts, end_ts, count) and compare them with
                       the history
  --prices FILE        also score the market and the blend at past prices, and follow the advice
with --prices:
  --leads 6,24 | all   hours before the end, using prices up to 1 h old; all: every time in the price file
  --half-spread 0.01   half-spread to assume where the file has no ask and bid
  --fee-rate 0.05      the market's fee rate
  --prior NAME         prior on edges: shipped or vague (default: vague if the file has ladders from which the shipped
                       prior was learned)
  --model-weight 0..1  give the model this fixed weight instead of a learned one

examples:
  npx tallycast backtest --posts history.csv --window 7d --leads 24,48,72
  npx tallycast backtest --posts history.csv --prices ladders.csv --leads all --half-spread 0.02`;

export const run: Command['run'] = async (args, terminal) => {
  const files = openFiles(terminal);
  const hasPrices = args.includes('--prices');
  if (hasPrices && args.includes('--as-seen'))
    throw new UsageError('--as-seen cannot be combined with --prices');
  if (hasPrices) runMarketBacktest(args, files);
  else runBacktest(args, files);
  return undefined;
};

export function runBacktest(args: readonly string[], io: FileAccess): void {
  const options = parseBacktestOptions(args);
  const history: PostHistory & Partial<Sight> = options.isAsSeen
    ? readParsed(io, options.postsFile, parseSeenHistory)
    : readPosts(io, options.postsFile, options.columns);
  const parameters = getAccountParameters(profileOfLetter(options.accountId));
  const zone = getMarketZone(parameters.marketTimeZone);
  const oracle = options.oracleFile && readParsed(io, options.oracleFile, parseOracleCounts);
  const windows = oracle
    ? oracle.map(({ window }) => window)
    : listWindows(planWindows(options, history, zone), zone);
  const book = new ScoreBook(options.bucketWidth);
  const steps: WalkStep[] = [];
  const total = windows.length * options.leadsHours.length;
  const gaps = options.gapsFile === undefined ? [] : readParsed(io, options.gapsFile, parseGaps);
  const plan = {
    history,
    parameters,
    windows,
    leadsHours: options.leadsHours,
    withOthers: true,
    gaps,
    ...(oracle ? { findFinal: findIn(oracle) } : {}),
    ...(history.seenTs ? { isWanted: isRecorded(history.seenTs) } : {}),
  };
  if (history.seenTs) io.print(describeSight(history.createdTs, history.seenTs));
  for (const step of walkForward(plan)) {
    record(book, step);
    // Distributions are dropped once scored; a year of them would fill memory.
    steps.push({ ...step, others: {} });
    if (steps.length % 25 === 0 || steps.length === total) io.report(drawProgress(steps.length, total));
  }
  if (oracle) io.print(`${describeGap(measureGap(countBoth(history, oracle)))}\n`);
  if (total === 0) io.report('no windows of that length in this range\n');
  const blockLength = chooseBlock(options);
  const summaries = [...book.byLead]
    .sort(([a], [b]) => a - b)
    .map(([leadHours, models]) => ({ leadHours, summaries: summariseLead(models, blockLength) }));
  const verdicts = describeVerdicts(book.byLead, blockLength);
  io.print(`${describeRun(options, windows.length)}\n\n`);
  if (verdicts.length > 0) io.print(`${verdicts.join('\n')}\n\n`);
  for (const lead of summaries) io.print(`${formatLeadTable(lead.leadHours, lead.summaries)}\n`);
  if (options.ndjsonFile !== undefined) io.writeText(options.ndjsonFile, formatNdjson(steps));
}

/** No forecast could have been made before the first post was seen. */
function isRecorded(seenTs: Float64Array): (window: CountWindow, leadHours: number) => boolean {
  const sinceTs = seenTs.reduce((least, ts) => Math.min(least, ts), Number.POSITIVE_INFINITY);
  return (window, leadHours) => window.endTs - leadHours * HOUR_MS >= sinceTs;
}

function describeSight(createdTs: Float64Array, seenTs: Float64Array): string {
  const late = seenTs.filter((ts, i) => ts - createdTs[i]! > MINUTE_MS).length;
  return `as seen: ${late} of ${createdTs.length} posts were first seen more than a minute after they were posted\n`;
}

function findIn(oracle: readonly OracleFinal[]): (window: CountWindow) => number | null {
  return (window) => oracle.find((final) => final.window === window)?.count ?? null;
}

/** Pairs each window's final count in the history with the oracle's. */
function countBoth(history: PostHistory, oracle: readonly OracleFinal[]) {
  const { counted } = createTimeline(history);
  return oracle.map(({ window, count }) => ({
    history: counted.countBefore(window.endTs) - counted.countBefore(window.startTs),
    oracle: count,
  }));
}

function record(book: ScoreBook, step: WalkStep): void {
  const add = (model: string, distribution: CountDistribution) =>
    book.add(step.leadHours, model, distribution, step.countSoFar, step.final);
  add(PRODUCT, step.forecast.distribution);
  for (const [name, distribution] of Object.entries(step.others)) add(name, distribution);
}

/** Bootstrap blocks span two window lengths, because overlapping windows share posts. */
function chooseBlock({ length, startWeekdays }: BacktestOptions): number {
  if (length === 'month') return 1;
  return Math.max(1, Math.round((2 * length.days * startWeekdays.length) / 7));
}

function describeRun(options: BacktestOptions, windows: number): string {
  const length = options.length === 'month' ? 'calendar months' : `${options.length.days}-day windows`;
  return `account ${options.accountId}, ${windows} ${length}, skill against pace-nb`;
}

function formatNdjson(steps: readonly WalkStep[]): string {
  const sorted = [...steps].sort((a, b) => a.window.startTs - b.window.startTs || a.leadHours - b.leadHours);
  return sorted.map((step) => `${formatForecastLine(step.window, step.forecast, step.final)}\n`).join('');
}
