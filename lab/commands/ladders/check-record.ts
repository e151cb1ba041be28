// Compares the record of a service on served ladders with `backtest --prices` on the same files: events,
// moments, and the log scores of model, market and blend.

import { setTimeout as wait } from 'node:timers/promises';
import type { RecordedLadder, RecordedPast } from '../../../simulator/recorded/recorded-past.ts';
import { parseMarketOptions, planWalk } from '../../../src/cli/backtest-walk.ts';
import type { FileAccess } from '../../../src/cli/files.ts';
import { formatTable } from '../../../src/cli/text-table.ts';
import { profileOfLetter } from '../../../src/domain/account-profile.ts';
import { HOUR_MS } from '../../../src/domain/units.ts';
import type { PostHistory } from '../../../src/forecast/types.ts';
import { walkSignals } from '../../../src/trade/backtest/signal-walk.ts';
import { blendLadder, MIN_REST, readMarket, USUAL_SUM } from '../../../src/trade/edges/blend.ts';
import type { LadderSample } from '../../../src/trade/edges/learn-evidence.ts';
import { PRIOR_EVIDENCE } from '../../../src/trade/edges/prior-evidence.ts';
import type { LadderFiles } from './read-ladder-files.ts';

/** A ladder at one moment, with its window as the event's name. */
interface Moment {
  window: string;
  ts: number;
  sample: Pick<LadderSample, 'model' | 'prices' | 'winner' | 'leadHours'>;
}

const FLOOR = 1e-4;
/** The API rounds to six decimals, and a probability is scored down to 1e-4. */
const TOLERANCE = 0.01;
const POLL_MS = 3_000;
const PATIENCE_MS = 10 * 60_000;
/** The record is complete when nothing was added for this long. */
const SETTLED_POLLS = 4;

const nameOf = ({ startTs, endTs }: { startTs: number; endTs: number }) => `${startTs} ${endTs}`;

/** What `backtest --prices --leads all` scores, on events with an outcome. */
export function walkFiles(files: LadderFiles, past: RecordedPast, io: FileAccess): Moment[] {
  const settled = past.ladders.filter(({ outcome }) => outcome !== null);
  const finals = new Map(settled.map(({ window, outcome }) => [nameOf(window), outcome!.finalCount]));
  const options = parseMarketOptions(['--prices', files.prices, '--leads', 'all']);
  const plan = planWalk(options, toHistory(past), profileOfLetter(files.accountId), io);
  const steps = [...walkSignals({ ...plan, findFinal: (window) => finals.get(nameOf(window)) ?? null })];
  return steps
    .filter(({ snapshot, sample }) => finals.has(nameOf(snapshot.window)) && sample.winner >= 0)
    .map(({ snapshot, sample }) => ({ window: nameOf(snapshot.window), ts: snapshot.ts, sample }));
}

function toHistory({ posts }: RecordedPast): PostHistory {
  return {
    createdTs: Float64Array.from(posts, ({ createdTs }) => createdTs),
    isCounted: Uint8Array.from(posts, ({ isCounted }) => Number(isCounted)),
  };
}

interface CourseWire {
  next_cursor: string | null;
  start_ts: number;
  end_ts: number;
  buckets: { bucket: string; low: number; high: number | null }[];
  settlement: { winning_bucket: string | null } | null;
  points: {
    timestamp: number;
    real_counter: number;
    market_prices: (number | null)[];
    model_probs?: number[];
    recomputed?: boolean;
  }[];
}

/** Waits until the service has recomputed what it can, then reads every moment at which the venue has a price. */
export async function readService(
  url: string,
  key: string,
  accountId: string,
  past: RecordedPast,
  expected: number,
  signal: AbortSignal,
): Promise<Moment[]> {
  const read = () => readCourses(`${url}/api/v1/history/account_${accountId}`, key);
  const deadlineMs = performance.now() + PATIENCE_MS;
  let moments: Moment[] = [];
  for (let polls = 0; polls < SETTLED_POLLS && performance.now() < deadlineMs; polls++) {
    await wait(POLL_MS, undefined, { signal });
    const found = (await read()).flatMap((course) => toMoments(course, past.ladders));
    if (found.length !== moments.length || found.length === 0) polls = -1;
    moments = found;
    if (moments.length >= expected) break;
  }
  return moments;
}

async function readCourses(base: string, key: string): Promise<CourseWire[]> {
  const get = async (path: string) => {
    const response = await fetch(`${base}/${path}`, { headers: { 'X-API-Key': key } });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };
  const courses: CourseWire[] = [];
  let cursor: string | null = null;
  do {
    const page: { data: { event_id: number; settlement: unknown }[]; next_cursor: string | null } = await get(
      `events?limit=100${cursor === null ? '' : `&cursor=${cursor}`}`,
    );
    for (const { event_id, settlement } of page.data)
      if (settlement !== null) courses.push(await readCourse(get, event_id));
    cursor = page.next_cursor;
  } while (cursor !== null);
  return courses;
}

async function readCourse(
  get: (path: string) => Promise<{ data: CourseWire }>,
  eventId: number,
): Promise<CourseWire> {
  const { data: course } = await get(`${eventId}?step=all`);
  for (let cursor = course.next_cursor; cursor !== null; ) {
    const { data: page } = await get(`${eventId}?step=all&cursor=${cursor}`);
    course.points.push(...page.points);
    cursor = page.next_cursor;
  }
  return course;
}

/** Recomputed points at the times of the served prices; the service also scores fixed horizons in between. */
function toMoments(course: CourseWire, ladders: readonly RecordedLadder[]): Moment[] {
  const window = nameOf({ startTs: course.start_ts, endTs: course.end_ts });
  const ladder = ladders.find((one) => nameOf(one.window) === window);
  const times = new Set(ladder?.points.flatMap((points) => points.map(({ ts }) => ts)));
  const winner = course.buckets.findIndex(({ bucket }) => bucket === course.settlement?.winning_bucket);
  return course.points.flatMap((point): Moment[] => {
    const { timestamp: ts, model_probs: model, market_prices: prices } = point;
    if (!point.recomputed || !model || !times.has(ts) || prices.every((price) => price === null)) return [];
    const leadHours = (course.end_ts - ts) / HOUR_MS;
    const sample = joinUnpriced(course.buckets, model, prices, winner, point.real_counter);
    return [{ window, ts, sample: { ...sample, leadHours } }];
  });
}

/** As the backtest does: everything without a price that can still be reached is one entry. */
function joinUnpriced(
  buckets: CourseWire['buckets'],
  model: readonly number[],
  prices: readonly (number | null)[],
  winner: number,
  countSoFar: number,
): Omit<Moment['sample'], 'leadHours'> {
  const priced = buckets.flatMap((_, i) => (prices[i] === null ? [] : [i]));
  const rest = buckets.flatMap(({ high }, i) =>
    prices[i] === null && (high === null || high >= countSoFar) ? [i] : [],
  );
  const known = { model: priced.map((i) => model[i]!), prices: priced.map((i) => prices[i]!) };
  const place = priced.indexOf(winner);
  if (rest.length === 0) return { ...known, winner: place };
  const sum = known.prices.reduce((total, price) => total + price, 0);
  const left = rest.reduce((total, i) => total + model[i]!, 0);
  return {
    model: [...known.model, Math.max(MIN_REST, left)],
    prices: [...known.prices, Math.max(MIN_REST, 1 - sum / USUAL_SUM)],
    winner: place < 0 ? priced.length : place,
  };
}

const FORECASTERS = ['model', 'market', 'blend'] as const;
type Scores = Record<(typeof FORECASTERS)[number], number>;

/** The blend has the shipped weights, so that each moment can be compared by itself. */
function score({ model, prices, winner, leadHours }: Moment['sample']): Scores {
  const lost = (probabilities: readonly number[]) => -Math.log(Math.max(FLOOR, probabilities[winner] ?? 0));
  return {
    model: lost(model),
    market: lost(readMarket(model, prices) ?? []),
    blend: lost(blendLadder(PRIOR_EVIDENCE, model, prices, leadHours).probabilities),
  };
}

export interface Comparison {
  table: string;
  isEqual: boolean;
}

export function compareRecords(files: readonly Moment[], service: readonly Moment[]): Comparison {
  const rows = [describe('backtest --prices', files), describe('service', service)];
  const scored = new Map(service.map((one) => [`${one.window} ${one.ts}`, score(one.sample)]));
  const missing = files.filter(({ window, ts }) => !scored.has(`${window} ${ts}`));
  const gaps = files.flatMap(({ window, ts, sample }) => {
    const [own, other] = [score(sample), scored.get(`${window} ${ts}`)];
    return other ? [FORECASTERS.map((name) => Math.abs(own[name] - other[name]))] : [];
  });
  const largest = FORECASTERS.map((_, i) => Math.max(0, ...gaps.map((gap) => gap[i]!)));
  const isEqual =
    files.length === service.length && missing.length === 0 && largest.every((gap) => gap <= TOLERANCE);
  const difference = [
    'largest difference',
    '',
    `${missing.length} missing`,
    ...largest.map((gap) => gap.toFixed(6)),
  ];
  return {
    table: formatTable(['log score', 'events', 'moments', ...FORECASTERS], [...rows, difference]),
    isEqual,
  };
}

function describe(name: string, moments: readonly Moment[]): (string | number)[] {
  const scores = moments.map(({ sample }) => score(sample));
  const mean = (of: keyof Scores) => scores.reduce((sum, one) => sum + one[of], 0) / scores.length;
  const events = new Set(moments.map(({ window }) => window)).size;
  return [
    name,
    events,
    moments.length,
    ...FORECASTERS.map((of) => (scores.length ? mean(of).toFixed(4) : '-')),
  ];
}
