// Times at which a past event is forecast and compared with the market: the same for the service's record and
// for `backtest --prices --leads all`.

import { countLeading } from '../../domain/binary-search.ts';
import { HOUR_MS, MINUTE_MS } from '../../domain/units.ts';
import type { PastPricePoint } from '../../domain/venue-past.ts';

/** A ladder's buckets are often recorded seconds apart; prices within a minute count as simultaneous. */
export const INSTANT_MS = MINUTE_MS;
/** Closer moments add nothing: an event has one outcome. The margin covers times that are seconds late. */
const GAP_MS = 3 * HOUR_MS - 5 * MINUTE_MS;

/** Moments at least three hours apart, from the first; `moments` are in ascending order. */
export function thinMoments<Moment extends { ts: number }>(moments: readonly Moment[]): Moment[] {
  let lastTs = Number.NEGATIVE_INFINITY;
  return moments.filter(({ ts }) => {
    const isKept = ts - lastTs >= GAP_MS;
    if (isKept) lastTs = ts;
    return isKept;
  });
}

/** Joins points of one instant; its time is that of the last, when all of it was known. */
export function joinInstants(points: readonly PastPricePoint[]): PastPricePoint[] {
  const joined: PastPricePoint[] = [];
  for (const { ts, prices } of points) {
    const last = joined.at(-1);
    if (last && ts - last.ts < INSTANT_MS) {
      last.ts = ts;
      last.prices = prices.map((price, i) => price ?? last.prices[i]!);
    } else joined.push({ ts, prices: [...prices] });
  }
  return joined;
}

/** A price is valid until the next one of its series, at most three hours. */
const MAX_AGE_MS = 3 * HOUR_MS + MINUTE_MS;
const MIN_AGE_MS = HOUR_MS + MINUTE_MS;

export interface PastLadder {
  /** Ascending. */
  moments: readonly PastPricePoint[];
  /** Prices at this time; null for a bucket without a recent one. Never a later price. */
  at(ts: number): (number | null)[];
}

export function readPastLadder(points: readonly PastPricePoint[], buckets: number): PastLadder {
  const moments = joinInstants(points);
  const maxAgeMs = Math.min(MAX_AGE_MS, Math.max(MIN_AGE_MS, usualGapMs(moments) + MINUTE_MS));
  return {
    moments,
    at(ts) {
      const recent = moments.slice(countUntil(moments, ts - maxAgeMs - 1), countUntil(moments, ts));
      // At a moment of the series, a bucket without a price has none: the market has closed it.
      if (recent.at(-1)?.ts === ts) return [...recent.at(-1)!.prices];
      return Array.from(
        { length: buckets },
        (_, i) => recent.findLast(({ prices }) => prices[i] != null)?.prices[i] ?? null,
      );
    },
  };
}

/** How many moments are at or before `ts`. */
function countUntil(moments: readonly { ts: number }[], ts: number): number {
  return countLeading(moments.length, (i) => moments[i]!.ts <= ts);
}

function usualGapMs(moments: readonly PastPricePoint[]): number {
  const gaps = moments.slice(1).map(({ ts }, i) => ts - moments[i]!.ts);
  return gaps.sort((left, right) => left - right)[Math.floor(gaps.length / 2)] ?? 0;
}
