// Market prices at a past time: our own quotes if there were any, otherwise what the venue keeps of its past.
// Today's listed price would be hindsight.

import type { MarketEvent } from '../../domain/market-event.ts';
import { computeMarketPrice } from '../../domain/quote.ts';
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
  // Most past times are before our first quote; knowing that avoids a query per price.
  const quotedFromTs = new Map<string, number>();
  for (const { tokenId } of await quotes.latest(tokenIds)) {
    const [first] = await quotes.listRange(tokenId, {
      fromTs: 0,
      untilTs: Number.MAX_SAFE_INTEGER,
      limit: 1,
    });
    if (first) quotedFromTs.set(tokenId, first.observedTs);
  }
  const isQuoted = (tokenId: string, ts: number) =>
    ts >= (quotedFromTs.get(tokenId) ?? Number.POSITIVE_INFINITY);
  return {
    moments: ladder.moments,
    async at(ts) {
      const kept = ladder.at(ts);
      if (!tokenIds.some((tokenId) => isQuoted(tokenId, ts))) return kept;
      return Promise.all(
        tokenIds.map(async (tokenId, i) => {
          const quote = isQuoted(tokenId, ts) ? await quotes.standingAt(tokenId, ts) : undefined;
          // An empty book at 0.01 / 0.99 does not mean a price of one half.
          const own = computeMarketPrice(quote ?? undefined, null);
          const isFresh = quote !== undefined && quote.observedTs >= ts - OWN_QUOTE_MS;
          return (isFresh ? own : null) ?? kept[i] ?? own;
        }),
      );
    },
  };
}
