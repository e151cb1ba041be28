// Options for `backtest` and for `forecast --posts`.

import type { ColumnMapping } from '../domain/history-csv.ts';
import { DAY_MS } from '../domain/units.ts';
import { WEEKDAYS, type WindowPlan } from '../forecast/backtest/walk-forward.ts';
import type { MarketZone } from '../forecast/time/market-zone.ts';
import type { PostHistory } from '../forecast/types.ts';
import { UsageError } from '../runtime/errors.ts';
import { flags, readOptions, required, texts } from './arguments.ts';
import { parseColumns } from './files.ts';

const DEFAULT_LEADS = [6, 12, 24, 48, 72, 96, 120, 168];

export interface BacktestOptions {
  postsFile: string;
  columns: ColumnMapping;
  accountId: string;
  length: WindowPlan['length'];
  startWeekdays: number[];
  from: string | undefined;
  to: string | undefined;
  leadsHours: number[];
  bucketWidth: number;
  ndjsonFile: string | undefined;
  gapsFile: string | undefined;
  /** Final oracle counts, which define and settle the windows. */
  oracleFile: string | undefined;
  /** Forecasts only from posts already seen at the time, according to the file's first-seen times. */
  isAsSeen: boolean;
}

/** Options of every kind of backtest. */
export function readBacktestOptions(args: readonly string[]) {
  return readOptions(args, {
    ...flags('as-seen'),
    ...texts('posts', 'columns', 'account', 'window', 'starts', 'from', 'to', 'leads', 'bucket-width'),
    ...texts('ndjson', 'gaps', 'oracle'),
    ...texts('prices', 'prior', 'half-spread', 'fee-rate', 'model-weight'),
  }).values;
}

export function parseBacktestOptions(args: readonly string[]): BacktestOptions {
  const values = readBacktestOptions(args);
  return {
    postsFile: required(values.posts, '--posts'),
    columns: parseColumns(values.columns),
    accountId: values.account ?? 'a',
    length: parseLength(values.window ?? '7d'),
    startWeekdays: parseStarts(values.starts ?? 'daily'),
    from: values.from,
    to: values.to,
    leadsHours: values.leads === 'all' ? [] : parseLeads(values.leads),
    bucketWidth: parsePositive(values['bucket-width'] ?? '20', 'bucket-width', true),
    ndjsonFile: values.ndjson,
    gapsFile: values.gaps,
    oracleFile: values.oracle,
    isAsSeen: values['as-seen'] ?? false,
  };
}

export interface ForecastOptions {
  /** Prints the whole distribution on one line instead of a summary. */
  isJson: boolean;
  postsFile: string;
  columns: ColumnMapping;
  accountId: string;
  startTs: number;
  endTs: number;
  asofTs: number;
}

export function parseForecastOptions(args: readonly string[]): ForecastOptions {
  const { values } = readOptions(args, {
    ...flags('json'),
    ...texts('posts', 'columns', 'start', 'end', 'asof', 'account'),
  });
  const options = {
    isJson: values.json ?? false,
    postsFile: required(values.posts, '--posts'),
    columns: parseColumns(values.columns),
    accountId: values.account ?? 'a',
    startTs: parseInstant(required(values.start, '--start'), 'start'),
    endTs: parseInstant(required(values.end, '--end'), 'end'),
    asofTs: parseInstant(required(values.asof, '--asof'), 'asof'),
  };
  if (options.endTs <= options.startTs) throw new UsageError('--end must be after --start');
  return options;
}

function parseLength(text: string): WindowPlan['length'] {
  if (text === 'month') return 'month';
  const days = /^([1-9]\d?)d$/.exec(text)?.[1];
  if (days === undefined) throw new UsageError(`--window ${text}: expected 2d, 7d or month`);
  return { days: Number(days) };
}

function parseStarts(text: string): number[] {
  if (text === 'daily') return [0, 1, 2, 3, 4, 5, 6];
  return text.split(',').map((name) => {
    const weekday = WEEKDAYS.indexOf(name.trim().toLowerCase().slice(0, 3));
    if (weekday < 0) throw new UsageError(`--starts ${name}: expected daily or weekdays such as tue,fri`);
    return weekday;
  });
}

function parseLeads(text: string | undefined): number[] {
  if (text === undefined) return DEFAULT_LEADS;
  const leads = text.split(',').map((hours) => parsePositive(hours, 'leads', false));
  return [...new Set(leads)].sort((a, b) => a - b);
}

function parsePositive(text: string, name: string, isWhole: boolean): number {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (!(value > 0 && value < 1e6) || (isWhole && !Number.isInteger(value))) {
    throw new UsageError(`--${name} ${text}: expected a positive ${isWhole ? 'whole ' : ''}number`);
  }
  return value;
}

/** Accepts UTC milliseconds or an ISO time, which is UTC unless it has a zone. */
function parseInstant(text: string, name: string): number {
  if (/^\d{11,14}$/.test(text)) return Number(text);
  const iso = /^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : text;
  const ts = Date.parse(/(Z|[+-]\d{2}:?\d{2})$/i.test(iso) ? iso : `${iso}Z`);
  if (!Number.isFinite(ts)) throw new UsageError(`--${name} ${text}: expected UTC milliseconds or ISO 8601`);
  return ts;
}

/** A bare date means midnight in the market's time zone; anything longer is a time. */
function parseDate(text: string, name: string, zone: MarketZone): number {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (!match) return parseInstant(text, name);
  parseInstant(text, name);
  return zone.fromLocal(Number(match[1]), Number(match[2]), Number(match[3]), 0);
}

const WARM_UP_MS = 150 * DAY_MS;

/** Returns the selected windows with a known final count. */
export function planWindows(options: BacktestOptions, history: PostHistory, zone: MarketZone): WindowPlan {
  const firstTs = history.createdTs[0] ?? 0;
  const lastTs = history.createdTs.at(-1) ?? 0;
  const warmUp = Math.min(WARM_UP_MS, 0.4 * (lastTs - firstTs));
  const fromTs = options.from === undefined ? firstTs + warmUp : parseDate(options.from, 'from', zone);
  // A window that ends well after the last post has no known final count; a silent day is plausible.
  const toTs =
    options.to === undefined ? lastTs : Math.min(parseDate(options.to, 'to', zone), lastTs + DAY_MS);
  return { length: options.length, startWeekdays: options.startWeekdays, fromTs, toTs };
}
