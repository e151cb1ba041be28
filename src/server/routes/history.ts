// Event history: past and running events, and one event's counts, forecasts, prices and signals.

import { FaultError, valueFault } from '../../contract/faults.ts';
import { CourseAnswer, CourseQuery, PastEventsAnswer, PastEventsQuery } from '../../contract/history.ts';
import { readCursor, writeCursor } from '../../contract/page-cursor.ts';
import type { Account } from '../../domain/account.ts';
import { isRecomputed } from '../../domain/scored-horizons.ts';
import { HOUR_MS } from '../../domain/units.ts';
import type { RouteContext } from '../context.ts';
import { findEvent } from '../find-event.ts';
import { type Answer, ok } from '../http/answer.ts';
import { prefers } from '../http/negotiate.ts';
import { API_PREFIX, defineLooseRoute, type Route, type RouteRequest } from '../http/route.ts';
import { CSV_TYPE } from '../views/csv.ts';
import { presentCourse, presentPastEvent, writeCourseCsv, writePastEventsCsv } from '../views/history.ts';

export function historyRoutes(context: RouteContext): Route[] {
  return context.accounts.flatMap((account) => [
    pastEventsRoute(context, account),
    courseRoute(context, account),
  ]);
}

function pastEventsRoute({ store, board, withDeadline }: RouteContext, account: Account): Route {
  const path = `${API_PREFIX}/history/${account.segment}/events`;
  return defineLooseRoute({
    path,
    access: 'optional',
    query: PastEventsQuery,
    document: {
      operationId: `listPastEvents_${account.segment}`,
      tag: 'History',
      summary: `Events of ${account.segment}, including settled ones, latest end first`,
      description: 'Lists events that overlap the range from `from` to `to`.',
      ok: PastEventsAnswer,
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
      const data = events.map((event) =>
        presentPastEvent(
          event,
          settlements.find((settlement) => settlement.eventId === event.eventId),
          board.find(account.accountId),
        ),
      );
      const last = found.length > events.length ? events.at(-1) : undefined;
      const nextCursor = last ? writeCursor(last.window.endTs, last.eventId) : null;
      if (wantsCsv(request)) return csvAnswer(writePastEventsCsv(data), path, query, nextCursor);
      return pageAnswer({ timestamp: nowTs, data, next_cursor: nextCursor });
    },
  });
}

function courseRoute(context: RouteContext, account: Account): Route {
  const { store, withDeadline } = context;
  const path = `${API_PREFIX}/history/${account.segment}`;
  return defineLooseRoute({
    path: `${path}/{event_id}`,
    access: 'optional',
    isPayable: true,
    query: CourseQuery,
    document: {
      operationId: `getEventHistory_${account.segment}`,
      tag: 'History',
      summary: `History of one event of ${account.segment}`,
      description:
        'Counts and prices over the window; for PRO also percentiles, model probabilities and signals with their results. One point every five minutes for 90 days, hourly after that.',
      ok: CourseAnswer,
      csv: 'One line per point, one column per bucket; the Link header has the next page',
      also: [404],
    },
    async handle(request) {
      const { query, view, nowTs } = request;
      const range = readRange(query);
      const [cursorTs] = query.cursor === undefined ? [] : readCursor(query.cursor, 1);
      const event = await findEvent(context, account, request.params.event_id!);
      const { eventId } = event;
      const fromTs = Math.max(range.fromTs, cursorTs ?? 0);
      const pointRange = { ...range, fromTs, limit: query.limit! + 1, isHourly: query.step === 'hour' };
      const [found, oracle, ui, settlements, signals] = await withDeadline(
        Promise.all([
          store.forecasts.listPoints(eventId, pointRange),
          store.counts.history(eventId, 'oracle'),
          store.counts.history(eventId, 'ui'),
          store.settlements.latest([eventId]),
          view === 'pro' ? store.signals.list({ eventId }) : [],
        ]),
      );
      const points = found.slice(0, query.limit!);
      const next = found[points.length];
      const nextCursor = next ? writeCursor(points.at(-1)!.asofTs + 1) : null;
      const isFromStart = query.cursor === undefined && range.fromTs <= event.window.startTs;
      const pastUntilTs = Math.min(
        points.find((point) => !isRecomputed(point))?.asofTs ?? Math.floor(nowTs / HOUR_MS) * HOUR_MS,
        event.window.endTs,
        range.untilTs,
      );
      const past = isFromStart
        ? await context.findPastPrices(event, pastUntilTs, nowTs)
        : { points: [], problem: null };
      const snapshot = context.board.find(account.accountId);
      const parts = { event, snapshot, settlement: settlements[0], points, past, oracle, ui, signals };
      const data = presentCourse(parts, view, account.segment);
      if (wantsCsv(request)) {
        return csvAnswer(writeCourseCsv(data, view), `${path}/${eventId}`, query, nextCursor);
      }
      return pageAnswer({ timestamp: nowTs, data: { ...data, next_cursor: nextCursor } });
    },
  });
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

/** Timestamps identify the points, so the ETag ignores only the response time. */
function pageAnswer(json: { timestamp: number; data: unknown; next_cursor?: string | null }): Answer {
  const { timestamp: _, ...stable } = json;
  return { ...ok(json), stable, headers: VARY };
}

/** CSV has no field for the cursor, so it goes into the Link header (RFC 8288). */
function csvAnswer(text: string, path: string, query: object, nextCursor: string | null): Answer {
  const content = { bytes: Buffer.from(text), type: CSV_TYPE };
  if (nextCursor === null) return { status: 200, content, headers: VARY };
  const parameters = new URLSearchParams({ ...toTexts(query), format: 'csv', cursor: nextCursor });
  return { status: 200, content, headers: { ...VARY, Link: `<${path}?${parameters}>; rel="next"` } };
}

function toTexts(query: object): Record<string, string> {
  return Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]));
}
