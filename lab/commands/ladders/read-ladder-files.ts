// Reads files of real ladders: prices (one line per bucket and time), outcomes (one line per event) and posts.
// Problems name the file and the line.

import type { LabelledRange } from '../../../simulator/ladders.ts';
import type { PricePoint } from '../../../simulator/market/listed-event.ts';
import {
  type RecordedLadder,
  type RecordedPast,
  toSimulatorPosts,
} from '../../../simulator/recorded/recorded-past.ts';
import { type FileAccess, readParsed } from '../../../src/cli/files.ts';
import {
  compareBuckets,
  findLadderProblem,
  formatBucketLabel,
  parseBucketLabel,
} from '../../../src/domain/bucket-label.ts';
import { parseHistoryLine, readHistoryHeader } from '../../../src/domain/history-csv.ts';
import type { BucketRange, CountWindow } from '../../../src/domain/market-event.ts';
import { UsageError } from '../../../src/runtime/errors.ts';

export interface LadderFiles {
  prices: string;
  outcomes: string;
  posts: readonly string[];
  accountId: string;
}

export interface ReadLadders {
  past: RecordedPast;
  /** Names of the events, in the order of `past.ladders`. */
  names: string[];
  /** What is odd about the files but does not stop them from being served. */
  remarks: string[];
}

interface PricedEvent {
  name: string;
  window: CountWindow;
  /** By bucket, as written. */
  buckets: Map<string, { range: BucketRange; points: PricePoint[]; line: number }>;
}

interface Outcome {
  finalCount: number;
  winner: BucketRange;
}

/** The listing numbers an event's markets from 0 to 99. */
const MAX_BUCKETS = 99;

export function readLadderFiles(files: LadderFiles, io: FileAccess): ReadLadders {
  const events = readParsed(io, files.prices, parseEvents);
  const outcomes = readParsed(io, files.outcomes, parseOutcomes);
  const remarks: string[] = [];
  const ladders = events.map((event) => {
    const outcome = outcomes.get(event.name) ?? null;
    if (outcome === null) remarks.push(`${event.name} has no outcome: served as ended and not settled`);
    else if (!contains(outcome.winner, outcome.finalCount))
      remarks.push(`${event.name}: ${outcome.finalCount} is outside the bucket that was paid`);
    return toLadder(event, outcome);
  });
  const unpriced = [...outcomes.keys()].filter((name) => !events.some((event) => event.name === name));
  if (unpriced.length > 0) remarks.push(`outcomes without prices: ${unpriced.join(', ')}`);
  const posts = dropTwice(files.posts.flatMap((file) => readParsed(io, file, parsePosts)));
  const { accountId } = files;
  const past = { accountId, ladders, posts: toSimulatorPosts(accountId, posts) };
  return { past, names: events.map(({ name }) => name), remarks };
}

function contains({ lo, hi }: BucketRange, count: number): boolean {
  return count >= lo && (hi === null || count <= hi);
}

interface Line {
  number: number;
  text(column: string): string;
  integer(column: string): number;
}

function readLines(text: string, columns: readonly string[]): Line[] {
  const [header = '', ...rest] = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const names = header.split(',').map((name) => name.trim().toLowerCase());
  const missing = columns.filter((name) => !names.includes(name));
  if (missing.length > 0) throw new UsageError(`line 1: missing column ${missing.join(', ')}`);
  return rest.flatMap((line, i): Line[] => {
    if (line.trim() === '') return [];
    const fields = line.split(',').map((field) => field.trim());
    const number = i + 2;
    if (fields.length !== names.length)
      throw new UsageError(`line ${number}: ${fields.length} fields, but the header has ${names.length}`);
    const read = (column: string) => fields[names.indexOf(column)]!;
    const integer = (column: string) => {
      if (!/^\d{1,15}$/.test(read(column)))
        throw new UsageError(`line ${number}: ${column} is not a whole number: "${read(column)}"`);
      return Number(read(column));
    };
    return [{ number, text: read, integer }];
  });
}

const PRICE_COLUMNS = [
  ...['event', 'window_start_ts', 'window_end_ts'],
  ...['bucket_lo', 'bucket_hi', 'ts', 'yes_price'],
];

function parseEvents(text: string): PricedEvent[] {
  const events = new Map<string, PricedEvent>();
  const names = new Map<string, string>();
  for (const line of readLines(text, PRICE_COLUMNS)) {
    const window = { startTs: line.integer('window_start_ts'), endTs: line.integer('window_end_ts') };
    const name = line.text('event');
    const span = `${window.startTs} ${window.endTs}`;
    const event = events.get(name) ?? { name, window, buckets: new Map() };
    if (name === '') throw wrong(line, 'event is empty');
    if (window.endTs <= window.startTs) throw wrong(line, 'window_end_ts is not after window_start_ts');
    if (`${event.window.startTs} ${event.window.endTs}` !== span)
      throw wrong(line, `${name} has another window on an earlier line`);
    if ((names.get(span) ?? name) !== name)
      throw wrong(line, `${name} has the same window as ${names.get(span)}`);
    names.set(span, name);
    events.set(name, event);
    addPrice(event, line);
  }
  if (events.size === 0) throw new UsageError('no prices');
  return [...events.values()];
}

function wrong({ number }: Line, problem: string): UsageError {
  return new UsageError(`line ${number}: ${problem}`);
}

function addPrice({ buckets }: PricedEvent, line: Line): void {
  const range = {
    lo: line.integer('bucket_lo'),
    hi: line.text('bucket_hi') === '' ? null : line.integer('bucket_hi'),
  };
  const price = line.text('yes_price') === '' ? Number.NaN : Number(line.text('yes_price'));
  if (!(price >= 0 && price <= 1)) throw wrong(line, 'yes_price is not between 0 and 1');
  if (range.hi !== null && range.hi < range.lo) throw wrong(line, 'bucket_hi is below bucket_lo');
  const key = `${range.lo} ${range.hi}`;
  const bucket = buckets.get(key) ?? { range, points: [], line: line.number };
  const ts = line.integer('ts');
  if (bucket.points.some((point) => point.ts === ts))
    throw wrong(line, 'this bucket has a price at this time');
  bucket.points.push({ ts, price });
  buckets.set(key, bucket);
}

function parseOutcomes(text: string): Map<string, Outcome> {
  const outcomes = new Map<string, Outcome>();
  for (const line of readLines(text, ['event', 'final_count', 'winning_bucket'])) {
    if (line.text('final_count') === '' && line.text('winning_bucket') === '') continue;
    const winner = parseBucketLabel(line.text('winning_bucket'));
    if (!winner)
      throw wrong(line, `winning_bucket is not a range of counts: "${line.text('winning_bucket')}"`);
    if (outcomes.has(line.text('event'))) throw wrong(line, `${line.text('event')} has another outcome`);
    outcomes.set(line.text('event'), { finalCount: line.integer('final_count'), winner });
  }
  return outcomes;
}

function parsePosts(text: string) {
  const [header = '', ...lines] = text.split('\n');
  const layout = readHistoryHeader(header.replace(/\r$/, ''));
  return lines.flatMap((line, i) => {
    const row = line.replace(/\r$/, '');
    return row.trim() === '' ? [] : [parseHistoryLine(row, i + 2, layout)];
  });
}

/** Files may overlap. */
function dropTwice<Row extends { postId: string }>(rows: readonly Row[]): Row[] {
  return [...new Map(rows.map((row) => [row.postId, row])).values()];
}

/** The venue lists a bucket for every count; the file may have prices of only a few. */
function toLadder({ name, window, buckets }: PricedEvent, outcome: Outcome | null): RecordedLadder {
  const known = [...buckets.values()].map(({ range }) => range);
  const hasWinner = outcome === null || known.some((range) => contains(range, outcome.winner.lo));
  const ranges = fillGaps(hasWinner ? known : [...known, outcome!.winner]);
  const problem = ranges.length > MAX_BUCKETS ? `${ranges.length} buckets` : findLadderProblem(ranges);
  if (problem !== null) throw new UsageError(`${name}: its buckets do not form a ladder: ${problem}`);
  return {
    window,
    ranges,
    points: ranges.map(({ lo, hi }) => {
      const points = buckets.get(`${lo} ${hi}`)?.points ?? [];
      return points.sort((left, right) => left.ts - right.ts);
    }),
    outcome: outcome && {
      finalCount: outcome.finalCount,
      winner: ranges.findIndex((range) => contains(range, outcome.winner.lo)),
    },
  };
}

function fillGaps(known: readonly BucketRange[]): LabelledRange[] {
  const all: BucketRange[] = [];
  let next = 0;
  for (const range of [...known].sort(compareBuckets)) {
    if (range.lo > next) all.push({ lo: next, hi: range.lo - 1 });
    all.push(range);
    next = range.hi === null ? Infinity : range.hi + 1;
  }
  if (next < Infinity) all.push({ lo: next, hi: null });
  return all.map((range) => ({ ...range, label: formatBucketLabel(range) }));
}
