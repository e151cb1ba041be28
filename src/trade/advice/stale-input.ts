// Checks the age of an event's inputs independently of the advice rules, as a cross-check.

import type { FeedName, FeedStatus } from '../../domain/feed.ts';
import type { PriceableAccount, PriceableEvent } from '../pricing/price-event.ts';

interface Inputs extends Pick<PriceableAccount, 'feeds'> {
  events: readonly PriceableEvent[];
}

/** The first stale input behind the advice on an event; null if all inputs are fresh. */
export function findStaleInput(account: Inputs, eventId: number, nowTs: number): FeedName | null {
  const state = account.events.find(({ event }) => event.eventId === eventId);
  const isOfVenue = ({ feed, venue }: FeedStatus) =>
    venue === (feed === 'oracle' || feed === 'prices' ? state?.event.terms?.venue : undefined);
  for (const { feed, updatedTs, staleAfterMs } of account.feeds.filter(isOfVenue)) {
    const readTs = {
      own: updatedTs,
      prices: updatedTs,
      oracle: state?.oracleUpdatedTs,
      forecast: state?.forecast?.asofTs,
    };
    if (!(feed in readTs)) continue;
    const ts = readTs[feed as keyof typeof readTs] ?? Number.NEGATIVE_INFINITY;
    if (nowTs - ts > staleAfterMs) return feed;
  }
  return null;
}
