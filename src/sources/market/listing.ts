// Paging through the market's list of events, by tag or by series.

import type { HttpTransport, Query } from '../http-transport.ts';
import { asArray, asRecord, readName } from '../wire-reader.ts';
import { unexpectedShape } from './errors.ts';

export type Selection = { tagId: string } | { seriesSlug: string };

export interface EventListing {
  /** Raw events, unread. */
  fetchAll(selection: Selection, query: Query, signal: AbortSignal): Promise<unknown[]>;
  fetchFirst(selection: Selection, query: Query, limit: number, signal: AbortSignal): Promise<unknown[]>;
}

const PAGE_SIZE = 100;
const MAX_PAGES = 100;

export function createEventListing(gamma: HttpTransport): EventListing {
  const seriesIds = new Map<string, string>();

  /** The documented filter is the series' number, found once by its slug. */
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
      const all: unknown[] = [];
      const fixed = { ...query, ...(await toQuery(selection, signal)), limit: PAGE_SIZE };
      for (let page = 0; page < MAX_PAGES; page++) {
        const list = await fetchPage(gamma, { ...fixed, offset: page * PAGE_SIZE }, signal);
        all.push(...list);
        if (list.length < PAGE_SIZE) break;
      }
      return all;
    },
    async fetchFirst(selection, query, limit, signal) {
      const selected = await toQuery(selection, signal);
      return [...(await fetchPage(gamma, { ...query, ...selected, limit }, signal))];
    },
  };
}

async function fetchPage(
  gamma: HttpTransport,
  query: Query,
  signal: AbortSignal,
): Promise<readonly unknown[]> {
  const list = asArray(await gamma.getJson('/events', query, signal));
  if (!list) throw unexpectedShape('the list of events');
  return list;
}

async function findSeriesId(gamma: HttpTransport, slug: string, signal: AbortSignal): Promise<string | null> {
  const list = asArray(await gamma.getJson('/series', { slug }, signal)) ?? [];
  const series = list.map(asRecord).find((item) => item && readName(item, 'slug') === slug);
  return series ? readName(series, 'id') : null;
}
