// The market's listing over HTTP: events by filter, page, id and slug; series, markets, tags and search.

import type { ListedEvent } from '../market/listed-event.ts';
import type { SimulatorState } from '../simulator-state.ts';
import { type Answer, failure, matchPath, ok, readInteger, type SimulatorRequest } from './answer.ts';
import { toGammaEvent, toGammaMarket } from './gamma-wire.ts';

const MAX_PAGE = 100;
const MAX_OFFSET = 2_000;

export interface GammaApi {
  handle(request: SimulatorRequest): Promise<Answer>;
}

export function createGammaApi(state: SimulatorState): GammaApi {
  function allEvents(nowTs: number): ListedEvent[] {
    return [...state.countEvents.list(nowTs), ...state.cryptoEvents.list(nowTs)];
  }

  function select(query: URLSearchParams, nowTs: number): ListedEvent[] {
    const lists = readLists(query);
    const found = allEvents(nowTs).filter((event) => isWanted(state, event, query, lists, nowTs));
    return sortEvents(found, query);
  }

  function page(query: URLSearchParams, nowTs: number): Answer {
    const limit = Math.min(MAX_PAGE, Math.max(0, readInteger(query.get('limit'), 20)));
    const offset = Math.max(0, readInteger(query.get('offset'), 0));
    if (offset > MAX_OFFSET) return refused(`offset must not exceed ${MAX_OFFSET}`);
    const events = select(query, nowTs).slice(offset, offset + limit);
    return ok(events.map((event) => toGammaEvent(state, event, nowTs)));
  }

  /** The cursor names the last event of the previous page, so new listings do not shift pages. */
  function keyset(query: URLSearchParams, nowTs: number): Answer {
    if (query.has('offset')) return refused('offset is not supported; use after_cursor');
    const limit = Math.min(MAX_PAGE, Math.max(1, readInteger(query.get('limit'), 20)));
    const events = select(query, nowTs);
    const after = findAfter(events, query.get('after_cursor'));
    if (after === null) return refused('after_cursor is not valid');
    const shown = events.slice(after, after + limit);
    return ok({
      events: shown.map((event) => toGammaEvent(state, event, nowTs)),
      ...(after + limit < events.length ? { next_cursor: writeCursor(shown.at(-1)!) } : {}),
    });
  }

  function seriesList(query: URLSearchParams, nowTs: number): Answer {
    const bySlug = Map.groupBy(allEvents(nowTs), (event) => event.series.slug);
    const wanted = query.getAll('slug');
    const list = [...bySlug].filter(([slug]) => wanted.length === 0 || wanted.includes(slug));
    return ok(
      list.map(([, events]) => ({
        ...events[0]!.series,
        ticker: events[0]!.series.slug,
        seriesType: 'single',
        active: true,
        closed: false,
        archived: false,
        events: events
          .filter((event) => event.endTs > nowTs)
          .map((event) => toGammaEvent(state, event, nowTs, false)),
      })),
    );
  }

  function oneEvent(event: ListedEvent | null | undefined, nowTs: number): Answer {
    return event
      ? ok(toGammaEvent(state, event, nowTs))
      : failure(404, { type: 'not found error', error: 'id not found' });
  }

  function marketsOf(query: URLSearchParams, nowTs: number): Answer {
    const found = [
      ...query.getAll('clob_token_ids').map((token) => state.findToken(token, nowTs)),
      ...query.getAll('condition_ids').map((condition) => state.findCondition(condition, nowTs)),
      ...query.getAll('id').map((id) => state.findMarket(Number(id), nowTs)),
    ].filter((item) => item !== null);
    return ok(
      found.map(({ book, event, market }) => ({
        ...toGammaMarket(state, event, market, book.prices(event, nowTs)[market.index]!, nowTs),
        description: event.description,
        events: [toGammaEvent(state, event, nowTs, false)],
      })),
    );
  }

  /** Markets of the matching events, by the cursor of the last event on the page. */
  function marketsKeyset(query: URLSearchParams, nowTs: number): Answer {
    const wanted = select(query, nowTs);
    const from = findAfter(wanted, query.get('after_cursor'));
    if (from === null) return refused('after_cursor is not valid');
    const limit = Math.min(MAX_PAGE, Math.max(1, readInteger(query.get('limit'), 20)));
    const markets: unknown[] = [];
    let at = from;
    for (; at < wanted.length && markets.length < limit; at++)
      markets.push(...(toGammaEvent(state, wanted[at]!, nowTs).markets as unknown[]));
    return ok({ markets, ...(at < wanted.length ? { next_cursor: writeCursor(wanted[at - 1]!) } : {}) });
  }

  function oneMarket(id: string, nowTs: number): Answer {
    const found = state.findMarket(Number(id), nowTs);
    if (!found) return failure(404, { type: 'not found error', error: 'id not found' });
    const { book, event, market } = found;
    return ok(toGammaMarket(state, event, market, book.prices(event, nowTs)[market.index]!, nowTs));
  }

  function search(query: URLSearchParams, nowTs: number): Answer {
    const text = (query.get('q') ?? '').toLowerCase();
    const found = allEvents(nowTs).filter((event) => event.title.toLowerCase().includes(text));
    const limit = Math.min(50, readInteger(query.get('limit_per_type'), 10));
    return ok({
      events: found.slice(-limit).map((event) => toGammaEvent(state, event, nowTs)),
      tags: [],
      profiles: [],
      pagination: { hasMore: found.length > limit, totalResults: found.length },
    });
  }

  function tags(nowTs: number): Answer {
    const byId = new Map(
      allEvents(nowTs).flatMap((event) => event.tags.map((tag) => [tag.id, tag] as const)),
    );
    return ok([...byId.values()].map((tag) => ({ ...tag, requiresTranslation: false })));
  }

  function answer(path: string, query: URLSearchParams, nowTs: number): Answer {
    if (path === '/events') return page(query, nowTs);
    if (path === '/events/keyset') return keyset(query, nowTs);
    if (path === '/series') return seriesList(query, nowTs);
    if (path === '/markets') return marketsOf(query, nowTs);
    if (path === '/markets/keyset') return marketsKeyset(query, nowTs);
    if (path === '/tags') return tags(nowTs);
    if (path === '/public-search') return search(query, nowTs);
    const bySlug = matchPath('/events/slug/:slug', path);
    if (bySlug)
      return oneEvent(
        allEvents(nowTs).find((event) => event.slug === bySlug.slug),
        nowTs,
      );
    const byId = matchPath('/events/:id', path);
    if (byId) return oneEvent(findEvent(state, Number(byId.id), nowTs), nowTs);
    const market = matchPath('/markets/:id', path);
    if (market) return oneMarket(market.id!, nowTs);
    return failure(404, { type: 'not found error', error: 'not found' });
  }

  return {
    async handle({ method, path, query }) {
      const nowTs = state.now();
      if (method !== 'GET') return failure(405, { type: 'method not allowed', error: 'method not allowed' });
      if (/^\/events(\/keyset)?$/.test(path) && state.faults.hits('gamma-empty', nowTs))
        return ok(path === '/events' ? [] : { events: [] });
      const cacheMs = state.faults.valueAt('gamma-cache', nowTs);
      if (cacheMs === null) return answer(path, query, nowTs);
      const filledTs = Math.floor(nowTs / cacheMs) * cacheMs;
      const age = String(Math.floor((nowTs - filledTs) / 1000));
      return { ...answer(path, query, filledTs), headers: { age } };
    },
  };
}

function refused(error: string): Answer {
  return failure(422, { type: 'validation error', error });
}

function writeCursor(last: ListedEvent): string {
  return Buffer.from(`event:${last.eventId}`).toString('base64url');
}

/** Index of the first event after the cursor; null for an invalid cursor. */
function findAfter(events: readonly ListedEvent[], cursor: string | null): number | null {
  if (cursor === null) return 0;
  const eventId = /^event:(\d+)$/.exec(Buffer.from(cursor, 'base64url').toString())?.[1];
  const index = events.findIndex((event) => String(event.eventId) === eventId);
  return index < 0 ? null : index + 1;
}

function findEvent(state: SimulatorState, eventId: number, nowTs: number): ListedEvent | null {
  if (!Number.isSafeInteger(eventId)) return null;
  return state.countEvents.find(eventId, nowTs) ?? state.cryptoEvents.find(eventId, nowTs);
}

/** Repeated or comma-separated. */
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
