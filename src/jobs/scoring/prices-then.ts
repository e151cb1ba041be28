// Market prices at a past time: our own quotes if there were any, otherwise what the venue keeps of its past.
// Today's listed price would be hindsight.

import { computeMarketPrice } from '../../domain/book.ts';
import type { MarketEvent } from '../../domain/market-event.ts';
import { HOUR_MS } from '../../domain/units.ts';
import type { Store } from '../../store/ports.ts';
import { type PastLadder, readPastLadder } from '../../trade/backtest/past-moments.ts';

export interface PricesThen {
  /** Times for which the venue has prices, ascending. */
  moments: PastLadder['moments'];
  /** One per bucket; null if unknown. */
  at(ts: number): Promise<(number | null)[]>;
}

/** Quotes are stored when they change, so an older one was still valid, or the service was down. */
const OWN_QUOTE_MS = HOUR_MS;

export async function openPricesThen(
  { past, quotes }: Pick<Store, 'past' | 'quotes'>,
  { eventId, buckets }: MarketEvent,
): Promise<PricesThen> {
  const ladder = readPastLadder((await past.findPrices(eventId))?.points ?? [], buckets.length);
  const tokenIds = buckets.map(({ yesTokenId }) => yesTokenId);
  // Most past events were never quoted here; this one query avoids a query per price.
  const quoted = new Set((await quotes.latest(tokenIds)).map(({ tokenId }) => tokenId));
  return {
    moments: ladder.moments,
    async at(ts) {
      const kept = ladder.at(ts);
      if (quoted.size === 0) return kept;
      return Promise.all(
        tokenIds.map(async (tokenId, i) => {
          const quote = quoted.has(tokenId) ? await quotes.standingAt(tokenId, ts) : undefined;
          // An empty book at 0.01 / 0.99 does not mean a price of one half.
          const own = computeMarketPrice(quote ?? undefined, null);
          const isFresh = quote !== undefined && quote.observedTs >= ts - OWN_QUOTE_MS;
          return (isFresh ? own : null) ?? kept[i] ?? own;
        }),
      );
    },
  };
}
