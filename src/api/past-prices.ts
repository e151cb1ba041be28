// What an event's buckets cost before this service kept prices, from the market's own history. What is past does not
// change: it is asked for once per event, and kept for the next reader.

import type { MarketEvent } from '../domain/market-event.ts';
import { HOUR_MS, SECOND_MS } from '../domain/units.ts';
import { errorMessage } from '../runtime/errors.ts';
import type { Logger } from '../runtime/logger.ts';
import type { FetchPastPrices, PastPrice } from '../sources/source.ts';

export interface PastPricePoint {
  ts: number;
  /** Aligned with the event's buckets; null where unknown. */
  prices: (number | null)[];
}

/** Up to `untilTs`, an hour apart; empty where the market gives none, or does not answer now. */
export type FindPastPrices = (event: MarketEvent, untilTs: number) => Promise<PastPricePoint[]>;

const EVENTS_KEPT = 200;
const ASK_WITHIN_MS = 5 * SECOND_MS;

export function createPastPrices(fetchPastPrices: FetchPastPrices, logger: Logger): FindPastPrices {
  const kept = new Map<string, Promise<PastPricePoint[]>>();

  async function ask(event: MarketEvent, untilTs: number): Promise<PastPricePoint[]> {
    const signal = AbortSignal.timeout(ASK_WITHIN_MS);
    const span = { startTs: event.window.startTs, endTs: untilTs };
    const tokens = event.buckets.map(({ yesTokenId }) => fetchPastPrices(yesTokenId, span, signal));
    return alignByHour(await Promise.all(tokens), span);
  }

  return (event, untilTs) => {
    if (untilTs - event.window.startTs < HOUR_MS) return Promise.resolve([]);
    const key = `${event.eventId}/${untilTs}`;
    const known = kept.get(key);
    if (known) return known;
    const asked = ask(event, untilTs).catch((error: unknown) => {
      kept.delete(key);
      logger.debug({ eventId: event.eventId, problem: errorMessage(error) }, 'past prices were not told');
      return [];
    });
    if (kept.size >= EVENTS_KEPT) kept.delete(kept.keys().next().value as string);
    kept.set(key, asked);
    return asked;
  };
}

/** The last price of each hour of each bucket, at the hour's end; hours of which nothing is known are left out. */
export function alignByHour(
  histories: readonly (readonly PastPrice[])[],
  { startTs, endTs }: { startTs: number; endTs: number },
): PastPricePoint[] {
  const byHour = new Map<number, (number | null)[]>();
  for (const [bucket, points] of histories.entries()) {
    for (const { ts, price } of points) {
      if (ts < startTs || ts >= endTs) continue;
      const hour = Math.min(Math.ceil((ts + 1) / HOUR_MS) * HOUR_MS, endTs);
      const prices = byHour.get(hour) ?? histories.map(() => null);
      prices[bucket] = price;
      byHour.set(hour, prices);
    }
  }
  return [...byHour].map(([ts, prices]) => ({ ts, prices })).sort((a, b) => a.ts - b.ts);
}
