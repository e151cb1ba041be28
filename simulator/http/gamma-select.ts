// Selects the events of a listing query: which ones, in which order, from which cursor.

import type { ListedEvent } from '../market/listed-event.ts';
import type { SimulatorState } from '../simulator-state.ts';
import { type Answer, failure } from './answer.ts';

export const MAX_PAGE = 100;

export function allEvents(state: SimulatorState, nowTs: number): ListedEvent[] {
  return [...state.countEvents.list(nowTs), ...state.cryptoEvents.list(nowTs)];
}

export function selectEvents(state: SimulatorState, query: URLSearchParams, nowTs: number): ListedEvent[] {
  const lists = readLists(query);
  const [series] = lists.series_slug;
  const candidates =
    lists.series_slug.length === 1 ? listSeries(state, series!, nowTs) : allEvents(state, nowTs);
  return sortEvents(
    candidates.filter((event) => isWanted(state, event, query, lists, nowTs)),
    query,
  );
}

const bySeries = new WeakMap<readonly ListedEvent[], Map<string, ListedEvent[]>>();

/** Hundreds of accounts each list their own series, so their events are grouped once. */
function listSeries(
  { countEvents, cryptoEvents }: SimulatorState,
  slug: string,
  nowTs: number,
): readonly ListedEvent[] {
  const events = countEvents.list(nowTs);
  const groups = bySeries.get(events) ?? Map.groupBy(events, ({ series }) => series.slug);
  bySeries.set(events, groups);
  return groups.get(slug) ?? cryptoEvents.list(nowTs).filter(({ series }) => series.slug === slug);
}

/** Index of the first event after the cursor; null for an invalid cursor. */
export function findAfter(events: readonly ListedEvent[], cursor: string | null): number | null {
  if (cursor === null) return 0;
  const eventId = /^event:(\d+)$/.exec(Buffer.from(cursor, 'base64url').toString())?.[1];
  const index = events.findIndex((event) => String(event.eventId) === eventId);
  return index < 0 ? null : index + 1;
}

export function writeCursor(last: ListedEvent): string {
  return Buffer.from(`event:${last.eventId}`).toString('base64url');
}

export function refused(error: string): Answer {
  return failure(422, { type: 'validation error', error });
}

/** Repeated or comma-separated values. */
function readList(query: URLSearchParams, name: string): string[] {
  return query
    .getAll(name)
    .flatMap((text) => text.split(','))
    .filter(Boolean);
}

const LISTS = ['id', 'slug', 'series_id', 'series_slug'] as const;

type Lists = Record<(typeof LISTS)[number], string[]>;

function readLists(query: URLSearchParams): Lists {
  return Object.fromEntries(LISTS.map((name) => [name, readList(query, name)])) as Lists;
}

function isWanted(
  state: SimulatorState,
  event: ListedEvent,
  query: URLSearchParams,
  lists: Lists,
  nowTs: number,
): boolean {
  const among = (name: keyof Lists, value: string) => lists[name].length === 0 || lists[name].includes(value);
  const tagIs = (name: string, key: 'id' | 'slug') =>
    !query.has(name) || event.tags.some((tag) => tag[key] === query.get(name));
  const flagIs = (name: string, value: () => boolean) =>
    !query.has(name) || (query.get(name) === 'true') === value();
  const within = (name: string, ts: number) =>
    (!query.has(`${name}_min`) || ts >= Date.parse(query.get(`${name}_min`)!)) &&
    (!query.has(`${name}_max`) || ts <= Date.parse(query.get(`${name}_max`)!));
  return (
    tagIs('tag_id', 'id') &&
    tagIs('tag_slug', 'slug') &&
    among('id', String(event.eventId)) &&
    among('slug', event.slug) &&
    among('series_id', event.series.id) &&
    among('series_slug', event.series.slug) &&
    within('end_date', event.endTs) &&
    within('start_date', event.listedTs) &&
    flagIs('archived', () => event.isArchived) &&
    flagIs('active', () => true) &&
    (!query.has('title_search') ||
      event.title.toLowerCase().includes(query.get('title_search')!.toLowerCase())) &&
    flagIs('closed', () => state.bookOf(event).settledTs(event, nowTs) !== null)
  );
}

/** Newest listing first by default. */
function sortEvents(events: ListedEvent[], query: URLSearchParams): ListedEvent[] {
  const keyOf: Record<string, (event: ListedEvent) => number> = {
    id: (event) => event.eventId,
    startDate: (event) => event.listedTs,
    endDate: (event) => event.endTs,
    volume: (event) => event.volumeUsd,
  };
  const key = keyOf[readList(query, 'order')[0] ?? 'startDate'] ?? keyOf.startDate!;
  const sign = query.get('ascending') === 'true' ? 1 : -1;
  return events.sort((left, right) => sign * (key(left) - key(right)) || left.eventId - right.eventId);
}
