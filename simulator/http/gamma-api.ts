// The market's listing over HTTP: events by filter, page, id and slug; series, markets, tags and search.

import type { ListedEvent } from '../market/listed-event.ts';
import type { SimulatorState } from '../simulator-state.ts';
import { type Answer, failure, matchPath, ok, type SimulatorRequest } from './answer.ts';
import { createGammaEvents } from './gamma-events.ts';
import { createGammaMarkets } from './gamma-markets.ts';
import { allEvents } from './gamma-select.ts';

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

function findEvent(state: SimulatorState, eventId: number, nowTs: number): ListedEvent | null {
  if (!Number.isSafeInteger(eventId)) return null;
  return state.countEvents.find(eventId, nowTs) ?? state.cryptoEvents.find(eventId, nowTs);
}
