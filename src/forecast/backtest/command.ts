// The backtest as a command: reads a history, walks it forward, prints the table, writes the files asked for.
// Files and streams are handed in.

import { profileOfLetter } from '../../domain/account-profile.ts';
import { DAY_MS } from '../../domain/units.ts';
import { createForecaster } from '../forecaster.ts';
import { getAccountParameters } from '../parameters.ts';
import { getMarketZone } from '../time/market-zone.ts';
import type { CountLaw, PostHistory } from '../types.ts';
import { formatForecastLine } from './forecast-line.ts';
import { type BacktestOptions, parseBacktestOptions, parseDate, parseForecastOptions } from './options.ts';
import { parseHistory } from './read-history.ts';
import { renderReport } from './report.ts';
import { PRODUCT, ScoreBook, summariseLead } from './score-book.ts';
import { formatLeadTable } from './score-table.ts';
import { FORECAST_SEED, type WalkStep, walkForward } from './walk-forward.ts';
import { listWindows, type WindowPlan } from './windows.ts';

export interface CommandIo {
  readText(path: string): string;
  writeText(path: string, text: string): void;
  print(text: string): void;
  /** Progress and other news for a person, never part of the result. */
  tell(text: string): void;
}

const WARM_UP_MS = 150 * DAY_MS;

export function runBacktest(args: string[], io: CommandIo): void {
  const options = parseBacktestOptions(args);
  const history = parseHistory(io.readText(options.postsFile));
  const parameters = getAccountParameters(profileOfLetter(options.accountId));
  const windows = listWindows(planWindows(options, history), getMarketZone(parameters.marketTimeZone));
  const book = new ScoreBook(options.bucketWidth);
  const steps: WalkStep[] = [];
  const total = windows.length * options.leadsHours.length;
  const plan = { history, parameters, windows, leadsHours: options.leadsHours, withOthers: true };
  for (const step of walkForward(plan)) {
    record(book, step);
    // The other laws have been scored: keeping them would hold a year of them in memory.
    steps.push({ ...step, others: {} });
    if (steps.length % 25 === 0 || steps.length === total) io.tell(progressBar(steps.length, total));
  }
  if (total === 0) io.tell('no window of that kind lies inside the range\n');
  const blockLength = chooseBlock(options);
  const summaries = [...book.byLead]
    .sort(([a], [b]) => a - b)
    .map(([leadHours, models]) => ({ leadHours, summaries: summariseLead(models, blockLength) }));
  io.print(`${describeRun(options, windows.length)}\n\n`);
  for (const lead of summaries) io.print(`${formatLeadTable(lead.leadHours, lead.summaries)}\n`);
  if (options.ndjsonFile !== undefined) io.writeText(options.ndjsonFile, formatNdjson(steps));
  if (options.reportDir !== undefined) {
    const page = renderReport({ title: describeRun(options, windows.length), summaries, book, steps });
    io.writeText(`${options.reportDir}/index.html`, page);
    io.tell(`report: ${options.reportDir}/index.html\n`);
  }
}

export function runForecast(args: string[], io: CommandIo): void {
  const { postsFile, accountId, startTs, endTs, asofTs } = parseForecastOptions(args);
  const { createdTs, isCounted } = parseHistory(io.readText(postsFile));
  let known = 0;
  while (known < createdTs.length && createdTs[known]! <= asofTs) known += 1;
  const history = { createdTs: createdTs.slice(0, known), isCounted: isCounted.slice(0, known) };
  const forecaster = createForecaster(
    history,
    getAccountParameters(profileOfLetter(accountId)),
    FORECAST_SEED,
  );
  const window = { startTs, endTs };
  const counted = forecaster.timeline.counted;
  const countSoFar = Math.max(
    0,
    Math.min(counted.countBefore(endTs), counted.countUpTo(asofTs)) - counted.countBefore(startTs),
  );
  io.print(`${formatForecastLine(window, forecaster.forecast({ window, asofTs, countSoFar }))}\n`);
}

function planWindows(options: BacktestOptions, history: PostHistory): WindowPlan {
  const zone = getMarketZone(getAccountParameters(profileOfLetter(options.accountId)).marketTimeZone);
  const firstTs = history.createdTs[0] ?? 0;
  const lastTs = history.createdTs.at(-1) ?? 0;
  const warmUp = Math.min(WARM_UP_MS, 0.4 * (lastTs - firstTs));
  const fromTs = options.from === undefined ? firstTs + warmUp : parseDate(options.from, 'from', zone);
  // A window that ends beyond the record has no known final count; a day's silence at its end is believable.
  const toTs =
    options.to === undefined ? lastTs : Math.min(parseDate(options.to, 'to', zone), lastTs + DAY_MS);
  return { length: options.length, startWeekdays: options.startWeekdays, fromTs, toTs };
}

function record(book: ScoreBook, step: WalkStep): void {
  const add = (model: string, law: CountLaw) =>
    book.add(step.leadHours, model, law, step.countSoFar, step.final);
  add(PRODUCT, step.forecast.law);
  for (const [name, law] of Object.entries(step.others)) add(name, law);
}

/** Two window lengths of events per block: overlapping windows share their posts. */
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

function progressBar(done: number, total: number): string {
  const width = 30;
  const filled = Math.round((width * done) / total);
  const bar = '#'.repeat(filled).padEnd(width, '.');
  return `\r[${bar}] ${done}/${total}${done === total ? '\n' : ''}`;
}
