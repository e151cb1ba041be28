// The market's listing over HTTP: events by filter, page, id and slug; series and markets.

import type { ListedEvent } from '../market/listed-event.ts';
import type { SimulatorState } from '../simulator-state.ts';
import { type Answer, failure, matchPath, ok, type SimulatorRequest } from './answer.ts';
import { createGammaEvents } from './gamma-events.ts';
import { allEvents } from './gamma-select.ts';
import { toGammaEvent, toGammaMarket } from './gamma-wire.ts';

// Markets by token, condition and id.

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

  return { marketsOf };
}

export interface GammaApi {
  handle(request: SimulatorRequest): Promise<Answer>;
}

export function createGammaApi(state: SimulatorState): GammaApi {
  const { page, keyset, seriesList, oneEvent } = createGammaEvents(state);
  const { marketsOf } = createGammaMarkets(state);

  function answer(path: string, query: URLSearchParams, nowTs: number): Answer {
    if (path === '/events') return page(query, nowTs);
    if (path === '/events/keyset') return keyset(query, nowTs);
    if (path === '/series') return seriesList(query, nowTs);
    if (path === '/markets') return marketsOf(query, nowTs);
    const bySlug = matchPath('/events/slug/:slug', path);
    if (bySlug)
      return oneEvent(
        allEvents(state, nowTs).find((event) => event.slug === bySlug.slug),
        nowTs,
      );
    const byId = matchPath('/events/:id', path);
    if (byId) return oneEvent(findEvent(state, Number(byId.id), nowTs), nowTs);
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
