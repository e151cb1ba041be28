// Crypto price markets from the market's listing, and live reference prices from its websocket.

import type { CryptoMarket } from '../../domain/crypto-market.ts';
import type { Clock } from '../../runtime/clock.ts';
import { errorMessage } from '../../runtime/errors.ts';
import type { HttpTransport } from '../http-transport.ts';
import type { EventListing } from '../market/listing.ts';
import { createEventListing } from '../market/listing.ts';
import { readListedEvent } from '../market/wire.ts';
import type { SocketFactory } from '../socket-session.ts';
import { runSocketSession } from '../socket-session.ts';
import type { CryptoSource, ReferencePrice } from '../source.ts';
import { noneListed } from './errors.ts';
import { attachReference, parseCryptoMarket, parseReferencePrice } from './parse.ts';
import { readPriceTicks, subscriptionMessage } from './wire.ts';

export interface CryptoSourceOptions {
  gamma: HttpTransport;
  streamUrl: string;
  seriesSlugs: readonly string[];
  createSocket: SocketFactory;
  clock: Clock;
  silentAfterMs?: number;
  /** How fast the clock runs; 1 for real time. */
  timeScale?: number;
}

/** Series may share one number in the listing, so more are asked for than are kept. */
const EVENTS_PER_SERIES = 100;
/** Short windows are listed a day ahead; what runs now and what comes next is enough. */
const MARKETS_PER_SERIES = 3;
const PING_PERIOD_MS = 5_000;
const OPEN_TIMEOUT_MS = 10_000;
const DEFAULT_SILENT_AFTER_MS = 60_000;
/** An older reference price is worse than none. */
const REFERENCE_MAX_AGE_MS = 120_000;

export function createCryptoSource(options: CryptoSourceOptions): CryptoSource {
  const listing = createEventListing(options.gamma);
  const timeScale = options.timeScale ?? 1;
  const latest = new Map<string, ReferencePrice & { receivedTs: number }>();

  function currentPrices(): ReferencePrice[] {
    const nowTs = options.clock.now();
    return [...latest.values()].filter(
      (price) => nowTs - price.receivedTs <= REFERENCE_MAX_AGE_MS * timeScale,
    );
  }

  return {
    async fetchMarkets(signal) {
      const prices = currentPrices();
      const markets = await fetchAllSeries(options, listing, signal);
      return markets.map((market) => attachReference(market, prices));
    },
    openReferenceStream: (handlers, signal) =>
      runSocketSession(
        {
          name: 'crypto prices',
          url: options.streamUrl,
          createSocket: options.createSocket,
          clock: options.clock,
          pingPeriodMs: PING_PERIOD_MS * timeScale,
          openTimeoutMs: OPEN_TIMEOUT_MS * timeScale,
          silentAfterMs: options.silentAfterMs ?? DEFAULT_SILENT_AFTER_MS,
          onOpen(send) {
            send(subscriptionMessage());
            handlers.onOpen?.();
          },
          onJson(message) {
            const receivedTs = options.clock.now();
            const prices = readPriceTicks(message).flatMap(
              (tick) => parseReferencePrice(tick, receivedTs) ?? [],
            );
            for (const price of prices) {
              latest.set(`${price.source}:${price.asset}`, { ...price, receivedTs });
              handlers.onPrice(price);
            }
            return prices.length > 0;
          },
        },
        signal,
      ),
  };
}

/** A series that cannot be read does not take the others with it; none at all is a failure. */
async function fetchAllSeries(
  options: CryptoSourceOptions,
  listing: EventListing,
  signal: AbortSignal,
): Promise<CryptoMarket[]> {
  const byId = new Map<number, CryptoMarket>();
  const failures: string[] = [];
  for (const slug of options.seriesSlugs) {
    try {
      for (const market of await fetchSeries(options, listing, slug, signal))
        byId.set(market.eventId, market);
    } catch (error) {
      if (signal.aborted) throw error;
      failures.push(errorMessage(error));
    }
  }
  if (failures.length > 0 && failures.length === options.seriesSlugs.length) throw noneListed(failures);
  return [...byId.values()].sort((left, right) => left.endTs - right.endTs || left.eventId - right.eventId);
}

async function fetchSeries(
  options: CryptoSourceOptions,
  listing: EventListing,
  seriesSlug: string,
  signal: AbortSignal,
): Promise<CryptoMarket[]> {
  const nowTs = options.clock.now();
  const query = {
    closed: false,
    end_date_min: new Date(nowTs).toISOString(),
    order: 'endDate',
    ascending: true,
  };
  const events = await listing.fetchFirst({ seriesSlug }, query, EVENTS_PER_SERIES, signal);
  return events
    .flatMap((value) => {
      const event = readListedEvent(value);
      if (!event || event.isClosed || event.isArchived) return [];
      return event.seriesSlugs.includes(seriesSlug) ? (parseCryptoMarket(event) ?? []) : [];
    })
    .filter((market) => market.endTs > nowTs)
    .sort((left, right) => left.endTs - right.endTs)
    .slice(0, MARKETS_PER_SERIES);
}
