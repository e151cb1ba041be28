// Events and series.

import type { ListedEvent } from '../market/listed-event.ts';
import type { SimulatorState } from '../simulator-state.ts';
import { type Answer, failure, ok, readInteger } from './answer.ts';
import { allEvents, findAfter, MAX_PAGE, refused, selectEvents, writeCursor } from './gamma-select.ts';
import { toGammaEvent } from './gamma-wire.ts';

const MAX_OFFSET = 2_000;

export function createGammaEvents(state: SimulatorState) {
  function page(query: URLSearchParams, nowTs: number): Answer {
    const limit = Math.min(MAX_PAGE, Math.max(0, readInteger(query.get('limit'), 20)));
    const offset = Math.max(0, readInteger(query.get('offset'), 0));
    if (offset > MAX_OFFSET) return refused(`offset must not exceed ${MAX_OFFSET}`);
    const events = selectEvents(state, query, nowTs).slice(offset, offset + limit);
    return ok(events.map((event) => toGammaEvent(state, event, nowTs)));
  }

  /** The cursor is the last event of the previous page, so that new listings do not shift pages. */
  function keyset(query: URLSearchParams, nowTs: number): Answer {
    if (query.has('offset')) return refused('offset is not supported; use after_cursor');
    const limit = Math.min(MAX_PAGE, Math.max(1, readInteger(query.get('limit'), 20)));
    const events = selectEvents(state, query, nowTs);
    const after = findAfter(events, query.get('after_cursor'));
    if (after === null) return refused('after_cursor is not valid');
    const shown = events.slice(after, after + limit);
    return ok({
      events: shown.map((event) => toGammaEvent(state, event, nowTs)),
      ...(after + limit < events.length ? { next_cursor: writeCursor(shown.at(-1)!) } : {}),
    });
  }

  function seriesList(query: URLSearchParams, nowTs: number): Answer {
    const bySlug = Map.groupBy(allEvents(state, nowTs), (event) => event.series.slug);
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

  return { page, keyset, seriesList, oneEvent };
}
