// Pages through the market's list of events, by tag or by series.

import type { HttpTransport, Query } from '../http-transport.ts';
import { asArray, asRecord, readName } from '../wire-reader.ts';
import { isNotOffered, unexpectedShape } from './wire.ts';

export type Selection = { tagId: string } | { seriesSlug: string };

export interface ListedEvents {
  /** Raw, unparsed. */
  events: unknown[];
  /** Time the oldest page spent in a cache. */
  ageMs: number;
}

export interface EventListing {
  fetchAll(selection: Selection, query: Query, signal: AbortSignal): Promise<ListedEvents>;
  fetchFirst(selection: Selection, query: Query, limit: number, signal: AbortSignal): Promise<ListedEvents>;
}

const PAGE_SIZE = 100;
const MAX_PAGES = 100;

export function createEventListing(gamma: HttpTransport): EventListing {
  const seriesIds = new Map<string, string>();

  /** The documented filter is the series' id, looked up once by slug. */
  async function toQuery(selection: Selection, signal: AbortSignal): Promise<Query> {
    if ('tagId' in selection) return { tag_id: selection.tagId };
    const slug = selection.seriesSlug;
    const id = seriesIds.get(slug) ?? (await findSeriesId(gamma, slug, signal));
    if (id === null) return { series_slug: slug };
    seriesIds.set(slug, id);
    return { series_id: id };
  }

  return {
    async fetchAll(selection, query, signal) {
      const all: ListedEvents = { events: [], ageMs: 0 };
      const fixed = { ...query, ...(await toQuery(selection, signal)), limit: PAGE_SIZE };
      const seen = new Set<string>();
      for (let cursor: string | null = null; ; ) {
        const page = await fetchPage(gamma, { ...fixed, after_cursor: cursor }, signal);
        all.events.push(...page.events);
        all.ageMs = Math.max(all.ageMs, page.ageMs);
        cursor = page.nextCursor;
        if (cursor === null) return all;
        // Following a repeated cursor would never end.
        if (seen.has(cursor) || seen.size >= MAX_PAGES) throw unexpectedShape('the event cursor');
        seen.add(cursor);
      }
    },
    async fetchFirst(selection, query, limit, signal) {
      const selected = await toQuery(selection, signal);
      return fetchPage(gamma, { ...query, ...selected, limit }, signal);
    },
  };
}

async function fetchPage(
  gamma: HttpTransport,
  query: Query,
  signal: AbortSignal,
): Promise<ListedEvents & { nextCursor: string | null }> {
  const { value, ageMs } = await gamma.getAged('/events/keyset', query, signal);
  const page = asRecord(value);
  // An empty list may be null; a response without the field is not a list.
  const events = page && (page.events === null ? [] : asArray(page.events));
  if (!page || !events) throw unexpectedShape('the list of events');
  return { events: [...events], ageMs, nextCursor: readName(page, 'next_cursor') };
}

/** null if the market has no such series or does not list series; then we request events by name. */
async function findSeriesId(gamma: HttpTransport, slug: string, signal: AbortSignal): Promise<string | null> {
  const list = asArray(await findSeries(gamma, slug, signal)) ?? [];
  const series = list.map(asRecord).find((item) => item && readName(item, 'slug') === slug);
  return series ? readName(series, 'id') : null;
}

async function findSeries(gamma: HttpTransport, slug: string, signal: AbortSignal): Promise<unknown> {
  try {
    return await gamma.getJson('/series', { slug }, signal);
  } catch (error) {
    if (isNotOffered(error)) return null;
    throw error;
  }
}
