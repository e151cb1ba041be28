// The market's listing over HTTP: events by filter, page, id and slug; series, markets, tags and search.

import type { ListedEvent } from '../market/listed-event.ts';
import type { SimulatorState } from '../simulator-state.ts';
import { type Answer, failure, matchPath, ok, readInteger, type SimulatorRequest } from './answer.ts';
import { createGammaEvents } from './gamma-events.ts';
import { allEvents, findAfter, MAX_PAGE, refused, selectEvents, writeCursor } from './gamma-select.ts';
import { toGammaEvent, toGammaMarket } from './gamma-wire.ts';

// Markets by token, condition, id and page.

function createGammaMarkets(state: SimulatorState) {
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

  /** Markets of the matching events; the cursor is the last event on the page. */
  function marketsKeyset(query: URLSearchParams, nowTs: number): Answer {
    const wanted = selectEvents(state, query, nowTs);
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

  return { marketsOf, marketsKeyset, oneMarket };
}

export interface GammaApi {
  handle(request: SimulatorRequest): Promise<Answer>;
}

export function createGammaApi(state: SimulatorState): GammaApi {
  const { page, keyset, seriesList, oneEvent, search, tags } = createGammaEvents(state);
  const { marketsOf, marketsKeyset, oneMarket } = createGammaMarkets(state);

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
        allEvents(state, nowTs).find((event) => event.slug === bySlug.slug),
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
      return answer(path, query, nowTs);
    },
  };
}

function findEvent(state: SimulatorState, eventId: number, nowTs: number): ListedEvent | null {
  if (!Number.isSafeInteger(eventId)) return null;
  return state.countEvents.find(eventId, nowTs) ?? state.cryptoEvents.find(eventId, nowTs);
}
