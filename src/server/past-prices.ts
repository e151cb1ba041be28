// Bucket prices from the market's own history, from before this service started recording. They never change,
// so they are fetched once per event (hourly while it runs) and cached.

import type { MarketEvent } from '../domain/market-event.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../domain/units.ts';
import type { Clock } from '../runtime/clock.ts';
import { errorMessage } from '../runtime/errors.ts';
import type { Logger } from '../runtime/logger.ts';
import type { FetchPastPrices, PastPrice } from '../sources/source.ts';

export interface PastPricePoint {
  ts: number;
  /** Aligned with the event's buckets; null if unknown. */
  prices: (number | null)[];
}

export interface FoundPrices {
  /** Hourly points up to the requested time; empty if the market has none. */
  points: PastPricePoint[];
  /** Why prices may be missing; null if the market returned everything. */
  problem: string | null;
}

export type FindPastPrices = (event: MarketEvent, untilTs: number, nowTs: number) => Promise<FoundPrices>;

const EVENTS_KEPT = 200;
const ASK_WITHIN_MS = 5 * SECOND_MS;
/** How long a response waits for the market; later prices appear in the next response. */
const ANSWER_WITHIN_MS = 300;
/** Limits market requests: each event costs one request per bucket, and callers choose the events. */
const EVENTS_ASKED_PER_HOUR = 120;
const FAILED_FOR_MS = MINUTE_MS;

const UNAVAILABLE = "The market's price history could not be read. Try again in a minute.";
const LOADING = "The market's price history is loading. Try again in a few seconds.";
const TOO_OFTEN = 'Too many requests for market price history. Try again in an hour.';

interface Kept {
  histories: Promise<readonly (readonly PastPrice[])[]>;
  problem: string | null;
  /** When to fetch again after a failure; null otherwise. */
  againTs: number | null;
}

export function createPastPrices(
  fetchPastPrices: FetchPastPrices,
  logger: Logger,
  clock: Pick<Clock, 'after'>,
): FindPastPrices {
  const kept = new Map<string, Kept>();
  let askedTs: number[] = [];

  function ask(event: MarketEvent, endTs: number, nowTs: number): Kept {
    const signal = AbortSignal.timeout(ASK_WITHIN_MS);
    const span = { startTs: event.window.startTs, endTs };
    const tokens = event.buckets.map(({ yesTokenId }) => fetchPastPrices(yesTokenId, span, signal));
    const entry: Kept = {
      againTs: null,
      problem: null,
      histories: Promise.all(tokens).catch((error: unknown) => {
        entry.againTs = nowTs + FAILED_FOR_MS;
        entry.problem = UNAVAILABLE;
        logger.debug({ eventId: event.eventId, problem: errorMessage(error) }, 'past prices unavailable');
        return [];
      }),
    };
    return entry;
  }

  function mayAsk(nowTs: number): boolean {
    askedTs = askedTs.filter((ts) => ts > nowTs - HOUR_MS && ts <= nowTs);
    return askedTs.length < EVENTS_ASKED_PER_HOUR;
  }

  /**
   * Fetches up to the last full hour for any requested range, so that callers cannot cause extra requests.
   */
  function findWhole(event: MarketEvent, nowTs: number): Kept | undefined {
    const endTs = Math.min(event.window.endTs, Math.floor(nowTs / HOUR_MS) * HOUR_MS);
    const key = `${event.eventId}/${endTs}`;
    const known = kept.get(key);
    if (known && (known.againTs === null || nowTs < known.againTs)) return known;
    if (!mayAsk(nowTs)) return undefined;
    askedTs.push(nowTs);
    const asked = ask(event, endTs, nowTs);
    kept.delete(key);
    if (kept.size >= EVENTS_KEPT) kept.delete(kept.keys().next().value as string);
    kept.set(key, asked);
    return asked;
  }

  return async (event, untilTs, nowTs) => {
    const { startTs } = event.window;
    if (untilTs - startTs < HOUR_MS) return { points: [], problem: null };
    const found = findWhole(event, nowTs);
    if (!found) return { points: [], problem: TOO_OFTEN };
    const histories = await orNull(found.histories, clock);
    if (!histories) return { points: [], problem: LOADING };
    return { points: alignByHour(histories, { startTs, endTs: untilTs }), problem: found.problem };
  };
}

/** Resolves with null if it takes longer than a response may wait. */
function orNull<T>(work: Promise<T>, clock: Pick<Clock, 'after'>): Promise<T | null> {
  return new Promise((resolve) => {
    const cancel = clock.after(ANSWER_WITHIN_MS, () => resolve(null));
    void work.then(resolve).finally(cancel);
  });
}

/** Returns each bucket's last price in each hour, timed at the hour's end; hours without data are omitted. */
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
