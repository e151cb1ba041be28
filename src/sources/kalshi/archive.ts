// Settled contracts that are no longer listed. The archive has only markets, so we build events from them.

import { HOUR_MS } from '../../domain/units.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { HttpTransport, Query } from '../http-transport.ts';
import {
  isGone,
  type KalshiEventWire,
  type KalshiMarketWire,
  readCutoff,
  readMarketPage,
  unexpectedShape,
} from './wire.ts';

const PAGE_SIZE = 1_000;
const MAX_PAGES = 20;
/** The cut-off advances by one day per day, so an hour-old value is good enough. */
const CUTOFF_HOLDS_MS = HOUR_MS;

/** Returns the time before which settled contracts are in the archive; 0 if the venue has no archive. */
export function createCutoffReader(http: HttpTransport, clock: Clock) {
  let known: { cutoffTs: number; readTs: number } | null = null;
  return async (signal: AbortSignal): Promise<number> => {
    if (known && clock.now() - known.readTs < CUTOFF_HOLDS_MS) return known.cutoffTs;
    known = { cutoffTs: await fetchCutoff(http, signal), readTs: clock.now() };
    return known.cutoffTs;
  };
}

async function fetchCutoff(http: HttpTransport, signal: AbortSignal): Promise<number> {
  try {
    return readCutoff(await http.getJson('/historical/cutoff', {}, signal)).settledTs;
  } catch (error) {
    if (isGone(error)) return 0;
    throw error;
  }
}

export async function fetchArchived(
  http: HttpTransport,
  seriesTicker: string,
  signal: AbortSignal,
): Promise<KalshiEventWire[]> {
  const markets: KalshiMarketWire[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < MAX_PAGES; page++) {
    const query: Query = { series_ticker: seriesTicker, limit: PAGE_SIZE, cursor };
    const read = readMarketPage(await http.getJson('/historical/markets', query, signal));
    markets.push(...read.markets);
    if (read.cursor === null)
      return [...Map.groupBy(markets, ({ eventTicker }) => eventTicker)].map((group) =>
        toEvent(seriesTicker, ...group),
      );
    cursor = read.cursor;
  }
  throw unexpectedShape('the archive cursor');
}

/** A missing or overlapping bracket is detected later, when the ladder is validated. */
function toEvent(seriesTicker: string, ticker: string, markets: KalshiMarketWire[]): KalshiEventWire {
  return {
    ticker,
    seriesTicker,
    title: markets[0]!.title || ticker,
    isExclusive: true,
    feeTypeOverride: null,
    feeMultiplierOverride: null,
    markets,
    unreadableMarkets: 0,
  };
}
