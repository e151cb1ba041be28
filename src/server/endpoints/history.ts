// Event history: past and running events, and one event's counts, forecasts, prices and signals.

import type { View } from '../../access/authorise.ts';
import { envelope, MaybeCount, MaybeNumber, objectEnvelope, Ts } from '../../contract/envelope.ts';
import { FaultError, valueFault } from '../../contract/faults.ts';
import { readCursor, writeCursor } from '../../contract/query-string.ts';
import { Type } from '../../contract/schema.ts';
import type { Account } from '../../domain/account.ts';
import { CSV_TYPE, writeCsv } from '../../domain/csv.ts';
import { isRecomputed } from '../../domain/scored-horizons.ts';
import { HOUR_MS } from '../../domain/units.ts';
import { giveWay } from '../../runtime/turns.ts';
import type { CountObservation, ForecastPoint, OracleListing, SignalRecord } from '../../store/ports.ts';
import type { RouteContext } from '../context.ts';
import { findEvent } from '../find-event.ts';
import type { Answer } from '../http/answer.ts';
import { API_LINES, JSON_LINES, toLines } from '../http/fixed-headers.ts';
import { prefers } from '../http/negotiate.ts';
import { PreparedBody, tagOf } from '../http/prepared-body.ts';
import { API_PREFIX, defineRoute, type Route, type RouteRequest } from '../http/route.ts';
import { type FoundPrices, findPastPrices } from '../past-prices.ts';
import { createActivityReader } from '../read-activity.ts';
import { type PastEventSource, pastEventRows } from '../records/past-event.ts';
import { recordOf, round6 } from '../records/record.ts';
import { RememberedAdvice, type RememberedSource } from '../records/remembered-advice.ts';
import { LedgerEntry } from './ledger.ts';

/** More would take too much CPU for one public call. */
const MAX_POINTS = 300;

/** The latest time a Date can represent. */
const LAST_TS = 8_640_000_000_000_000;

const TIMES_AND_PAGE = {
  from: Type.Optional(
    Type.Integer({ minimum: 0, maximum: LAST_TS, default: 0, description: 'UTC milliseconds' }),
  ),
  to: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: LAST_TS,
      default: LAST_TS,
      description: 'UTC milliseconds, exclusive',
    }),
  ),
  cursor: Type.Optional(Type.String({ maxLength: 64, description: 'next_cursor from the previous page' })),
  format: Type.Optional(Type.Enum(['json', 'csv'], { description: 'Default: chosen by the Accept header' })),
};

const NextCursor = Type.Union([Type.String(), Type.Null()], { description: 'null on the last page' });

export function historyRoutes(context: RouteContext): Route[] {
  return context.accounts.flatMap((account) => [
    pastEventsRoute(context, account),
    courseRoute(context, account),
  ]);
}

const PastEvent = recordOf<PastEventSource>('PastEvent')(pastEventRows);

function pastEventsRoute({ store, board, withDeadline }: RouteContext, account: Account): Route {
  const path = `${API_PREFIX}/history/${account.segment}/events`;
  return defineRoute({
    path,
    access: 'optional',
    query: Type.Object({
      ...TIMES_AND_PAGE,
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 50 })),
    }),
    document: {
      operationId: `listPastEvents_${account.segment}`,
      tag: 'History',
      summary: `Events of ${account.segment}, including settled ones, latest end first`,
      description: 'Lists events that overlap the range from `from` to `to`.',
      ok: envelope('PastEventsAnswer', PastEvent.schema, { next_cursor: NextCursor }),
      csv: 'One line per event; the Link header has the next page',
    },
    async handle(request) {
      const { query, nowTs } = request;
      const range = readRange(query);
      const [endTs, eventId] = query.cursor === undefined ? [] : readCursor(query.cursor, 2);
      const after = endTs === undefined ? null : { endTs, eventId: eventId! };
      const page = { ...range, after, limit: query.limit! + 1 };
      const found = await withDeadline(store.events.listPage(account.accountId, page));
      const events = found.slice(0, query.limit!);
      const settlements = await withDeadline(store.settlements.latest(events.map((event) => event.eventId)));
      const byId = new Map(settlements.map((settlement) => [settlement.eventId, settlement]));
      const snapshot = board.find(account.accountId);
      const data = events.map((event) =>
        PastEvent.present({ event, settlement: byId.get(event.eventId), snapshot }),
      );
      const last = found.length > events.length ? events.at(-1) : undefined;
      const nextCursor = last ? writeCursor(last.window.endTs, last.eventId) : null;
      if (wantsCsv(request)) return csvAnswer(writePastEventsCsv(data), path, query, nextCursor);
      return pageAnswer({ timestamp: nowTs, data, next_cursor: nextCursor });
    },
  });
}

function writePastEventsCsv(events: readonly ReturnType<typeof PastEvent.present>[]): string {
  const columns = ['event_id', 'event_title', 'start_ts', 'end_ts'] as const;
  const settled = ['final_count', 'winning_bucket', 'settled_ts'] as const;
  const terms = ['venue', 'counting_rule'] as const;
  const rows = events.map((event) => [
    ...columns.map((column) => event[column]),
    ...settled.map((column) => event.settlement?.[column]),
    ...terms.map((column) => event[column]),
  ]);
  return writeCsv([...columns, ...settled, ...terms], rows);
}

/** Counts are those known at the time of the point. */
interface PointSource {
  point: ForecastPoint;
  oracle: number | null;
  ui: number | null;
}

const CoursePoint = recordOf<PointSource & { isPro: boolean }>('CoursePoint')({
  timestamp: [Ts, ({ point }) => point.asofTs],
  real_counter: [Type.Integer(), ({ point }) => point.countSoFar],
  market_oracle_counter: [MaybeCount, ({ oracle }) => oracle],
  market_ui_counter: [MaybeCount, ({ ui }) => ui],
  market_prices: [
    Type.Array(MaybeNumber, { description: 'One per bucket; null if unknown' }),
    ({ point }) => point.marketPrices.map((price) => (price === null ? null : round6(price))),
  ],
  forecast: [
    Type.Optional(
      Type.Object({ p5: Type.Number(), p50: Type.Number(), p95: Type.Number() }, { description: 'PRO' }),
    ),
    ({ point: { p5, p50, p95 }, isPro }) => (isPro ? { p5, p50, p95 } : undefined),
  ],
  model_probs: [
    Type.Optional(Type.Array(Type.Number(), { description: 'PRO; one per bucket' })),
    ({ point, isPro }) => (isPro ? point.bucketProbabilities.map(round6) : undefined),
  ],
  model_version: [
    Type.Optional(Type.String({ description: 'PRO' })),
    ({ point, isPro }) => (isPro ? point.modelVersion : undefined),
  ],
  recomputed: [
    Type.Optional(
      Type.Boolean({
        description: 'true if computed later from stored posts; absent for points recorded at the time',
      }),
    ),
    ({ point }) => (isRecomputed(point) ? true : undefined),
  ],
});

interface CourseSource extends PastEventSource {
  points: readonly PointSource[];
  /** From the market's own history. */
  past: FoundPrices;
  signals: readonly SignalRecord[];
  advice: readonly RememberedSource[];
  segment: string;
  isPro: boolean;
  nextCursor: string | null;
}

const EventCourse = recordOf<CourseSource>('EventCourse')({
  ...pastEventRows,
  points: [
    Type.Array(CoursePoint.schema, { description: 'Earliest first' }),
    ({ points, isPro }) => points.map((point) => CoursePoint.present({ ...point, isPro })),
  ],
  past_prices_problem: [
    Type.Optional(
      Type.String({ description: 'Why past_prices is missing or incomplete; absent if it is complete' }),
    ),
    ({ past }) => past.problem ?? undefined,
  ],
  past_prices: [
    Type.Optional(
      Type.Array(Type.Object({ timestamp: Ts, market_prices: Type.Array(MaybeNumber) }), {
        description:
          "Hourly prices from the market's own history, from before this service recorded prices; on the first page only, absent if there are none",
      }),
    ),
    ({ past: { points } }) =>
      points.length > 0
        ? points.map(({ ts, prices }) => ({ timestamp: ts, market_prices: [...prices] }))
        : undefined,
  ],
  signals: [
    Type.Optional(Type.Array(LedgerEntry.schema, { description: 'PRO; signals and their results' })),
    ({ signals, segment, isPro }) =>
      isPro
        ? signals.map((signal) => LedgerEntry.present({ signal, place: { account: segment } }))
        : undefined,
  ],
  advice: [
    Type.Optional(
      Type.Array(RememberedAdvice.schema, { description: 'PRO; published advice, latest start first' }),
    ),
    ({ advice, isPro }) => (isPro ? advice.map(RememberedAdvice.present) : undefined),
  ],
  next_cursor: [NextCursor, ({ nextCursor }) => nextCursor],
});

/** Adds the counts from observations in read order to points in ascending order. */
function withCounts(
  points: readonly ForecastPoint[],
  oracle: readonly CountObservation[],
  ui: readonly CountObservation[],
  listings: readonly OracleListing[],
): PointSource[] {
  const oracleAt = createStanding(oracle);
  const listedAt = createListed(listings);
  const uiAt = createStanding(ui);
  return points.map((point) => ({
    point,
    oracle: oracleAt(point.asofTs) ?? listedAt(point.asofTs),
    ui: uiAt(point.asofTs),
  }));
}

/** What the oracle had counted before this service read it, by its own import times; null if unknown. */
function createListed(listings: readonly OracleListing[]): (ts: number) => number | null {
  const times = listings.flatMap(({ importedTs }) => importedTs ?? []).sort((left, right) => left - right);
  let next = 0;
  return (ts) => {
    while (next < times.length && times[next]! <= ts) next += 1;
    return times.length === 0 ? null : next;
  };
}

/** Returns a function from time to count; call it with ascending times. null before the first change. */
function createStanding(observations: readonly CountObservation[]): (ts: number) => number | null {
  const ascending = [...observations].sort((left, right) => left.observedTs - right.observedTs);
  let next = 0;
  return (ts) => {
    while (next < ascending.length && ascending[next]!.observedTs <= ts) next += 1;
    return ascending[next - 1]?.count ?? null;
  };
}

function courseRoute(context: RouteContext, account: Account): Route {
  const { store, withDeadline } = context;
  const reader = createActivityReader(context);
  const path = `${API_PREFIX}/history/${account.segment}`;
  return defineRoute({
    path: `${path}/{event_id}`,
    access: 'optional',
    isPayable: true,
    query: Type.Object({
      ...TIMES_AND_PAGE,
      step: Type.Optional(
        Type.Enum(['hour', 'all'], {
          default: 'hour',
          description: 'The last point of each hour, or all stored points',
        }),
      ),
      limit: Type.Optional(
        Type.Integer({
          ...{ minimum: 1, maximum: 1_000, default: 200 },
          description: `At most ${MAX_POINTS} points are returned at once`,
        }),
      ),
    }),
    document: {
      operationId: `getEventHistory_${account.segment}`,
      tag: 'History',
      summary: `History of one event of ${account.segment}`,
      description:
        'Counts and prices over the window; for PRO also percentiles, model probabilities and signals with their results. One point every five minutes for 90 days, hourly after that.',
      ok: objectEnvelope('CourseAnswer', EventCourse.schema),
      csv: 'One line per point, one column per bucket; the Link header has the next page',
      also: [404],
    },
    async handle(request) {
      const { query, view, nowTs } = request;
      const range = readRange(query);
      const limit = Math.min(query.limit!, MAX_POINTS);
      const [cursorTs] = query.cursor === undefined ? [] : readCursor(query.cursor, 1);
      const event = await findEvent(context, account, request.params.event_id!);
      const { eventId } = event;
      const fromTs = Math.max(range.fromTs, cursorTs ?? 0);
      const pointRange = {
        ...{ ...range, fromTs, limit: limit + 1, isHourly: query.step === 'hour' },
        hasModel: view === 'pro',
      };
      const { startTs, endTs } = event.window;
      const found = await withDeadline(store.forecasts.listPoints(eventId, pointRange));
      await giveWay();
      const [oracle, ui, settlements, signals, listings] = await withDeadline(
        Promise.all([
          store.counts.history(eventId, 'oracle'),
          store.counts.history(eventId, 'ui'),
          store.settlements.latest([eventId]),
          view === 'pro' ? store.signals.list({ eventId }) : [],
          // Another venue settles by another list.
          event.terms ? [] : store.oraclePosts.list(account.accountId, startTs, endTs),
        ]),
      );
      const points = found.slice(0, limit);
      const next = found[points.length];
      const nextCursor = next ? writeCursor(points.at(-1)!.asofTs + 1) : null;
      const isFromStart = query.cursor === undefined && range.fromTs <= event.window.startTs;
      const pastUntilTs = Math.min(
        points.find((point) => !isRecomputed(point))?.asofTs ?? Math.floor(nowTs / HOUR_MS) * HOUR_MS,
        event.window.endTs,
        range.untilTs,
      );
      const past = isFromStart
        ? await withDeadline(findPastPrices(store, event, pastUntilTs))
        : { points: [], problem: null };
      const advice = view === 'pro' ? await reader.readAdvice(account, event) : [];
      const snapshot = context.board.find(account.accountId);
      await giveWay();
      const data = EventCourse.present({
        ...{ event, snapshot, settlement: settlements[0], past, signals, advice, nextCursor },
        points: withCounts(points, oracle, ui, listings),
        segment: account.segment,
        isPro: view === 'pro',
      });
      await giveWay();
      if (wantsCsv(request)) {
        return csvAnswer(writeCourseCsv(data, view), `${path}/${eventId}`, query, nextCursor);
      }
      return pageAnswer({ timestamp: nowTs, data });
    },
  });
}

/** Source of a row's prices: this service, or the market's earlier history. */
const KEPT = 'kept';
/** Counts and forecasts were computed later, prices are from the market's history. */
const RECOMPUTED = 'recomputed';
const MARKET_HISTORY = 'market_history';

function writeCourseCsv(course: ReturnType<typeof EventCourse.present>, view: View): string {
  const labels = course.buckets.map(({ bucket }) => bucket);
  const modelColumns =
    view === 'pro' ? ['p5', 'p50', 'p95', ...labels.map((label) => `model_prob ${label}`)] : [];
  const columns = [
    ...['timestamp', 'real_counter', 'market_oracle_counter', 'market_ui_counter'],
    ...labels.map((label) => `market_price ${label}`),
    ...modelColumns,
    'price_source',
  ];
  const past = (course.past_prices ?? []).map(({ timestamp, market_prices }) => [
    ...[timestamp, null, null, null],
    ...labels.map((_, i) => market_prices[i]),
    ...modelColumns.map(() => null),
    MARKET_HISTORY,
  ]);
  const points = course.points.map((point) => {
    const { p5, p50, p95 } = point.forecast ?? {};
    const model = [p5, p50, p95, ...labels.map((_, i) => point.model_probs?.[i])];
    return [
      ...[point.timestamp, point.real_counter, point.market_oracle_counter, point.market_ui_counter],
      ...labels.map((_, i) => point.market_prices[i]),
      ...model.slice(0, modelColumns.length),
      point.recomputed ? RECOMPUTED : KEPT,
    ];
  });
  return writeCsv(columns, [...past, ...points]);
}

function readRange({ from, to }: { from?: number; to?: number }): { fromTs: number; untilTs: number } {
  if (from! > to!) throw new FaultError([valueFault(['query', 'to'], 'to must not be before from')]);
  return { fromTs: from!, untilTs: to! };
}

function wantsCsv({ query, headers }: Pick<RouteRequest<{ format?: string }>, 'query' | 'headers'>): boolean {
  if (query.format !== undefined) return query.format === 'csv';
  return prefers(headers.accept ?? '', 'text/csv', 'application/json');
}

const VARY = { Vary: 'Accept, Accept-Encoding, X-API-Key' };

const PAGE_LINES = JSON_LINES + API_LINES + toLines({ 'Cache-Control': 'private, no-cache', ...VARY });

/** Timestamps identify the points, so the ETag ignores only the response time, which comes first. */
function pageAnswer<T extends { timestamp: number }>(json: T): PreparedBody<T> {
  const { timestamp, ...stable } = json;
  const text = JSON.stringify(stable);
  return new PreparedBody(Buffer.from(`{"timestamp":${timestamp},${text.slice(1)}`), tagOf(text), PAGE_LINES);
}

/** CSV has no field for the cursor, so it goes into the Link header (RFC 8288). */
function csvAnswer(text: string, path: string, query: object, nextCursor: string | null): Answer<never> {
  const content = { bytes: Buffer.from(text), type: CSV_TYPE };
  if (nextCursor === null) return { status: 200, content, headers: VARY };
  const parameters = new URLSearchParams({ ...toTexts(query), format: 'csv', cursor: nextCursor });
  return { status: 200, content, headers: { ...VARY, Link: `<${path}?${parameters}>; rel="next"` } };
}

function toTexts(query: object): Record<string, string> {
  return Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]));
}
