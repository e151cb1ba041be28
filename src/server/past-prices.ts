// Bucket prices from the venue's past, from before this service recorded prices. A background job reads them.

import type { MarketEvent } from '../domain/market-event.ts';
import { HOUR_MS } from '../domain/units.ts';
import type { PastPricePoint } from '../domain/venue-past.ts';
import type { Store } from '../store/ports.ts';

export interface FoundPrices {
  /** Hourly points up to the requested time; empty if the market has none. */
  points: PastPricePoint[];
  /** Why prices may be missing; null if everything was read. */
  problem: string | null;
}

const LOADING = "The market's price history is loading. Try again in a few minutes.";

export async function findPastPrices(
  { past }: Pick<Store, 'past'>,
  { eventId, window: { startTs } }: MarketEvent,
  untilTs: number,
): Promise<FoundPrices> {
  if (untilTs - startTs < HOUR_MS) return { points: [], problem: null };
  const found = await past.findPrices(eventId);
  if (!found) return { points: [], problem: LOADING };
  return { points: lastOfHours(found.points, startTs, untilTs), problem: null };
}

/** Each bucket's last price in each hour, timed at the hour's end; hours without data are omitted. */
export function lastOfHours(
  points: readonly PastPricePoint[],
  startTs: number,
  endTs: number,
): PastPricePoint[] {
  const byHour = new Map<number, (number | null)[]>();
  for (const { ts, prices } of points) {
    if (ts < startTs || ts >= endTs) continue;
    const hour = Math.min(Math.ceil((ts + 1) / HOUR_MS) * HOUR_MS, endTs);
    const before = byHour.get(hour);
    byHour.set(
      hour,
      prices.map((price, i) => price ?? before?.[i] ?? null),
    );
  }
  return [...byHour].map(([ts, prices]) => ({ ts, prices })).sort((left, right) => left.ts - right.ts);
}
