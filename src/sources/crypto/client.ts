// Crypto price markets from the market's listing.

import type { CryptoMarket } from '../../domain/crypto-market.ts';
import type { Clock } from '../../runtime/clock.ts';
import { errorMessage, SourceError } from '../../runtime/errors.ts';
import type { HttpTransport } from '../http-transport.ts';
import type { EventListing } from '../market/listing.ts';
import { createEventListing } from '../market/listing.ts';
import { findPriceAlarm } from '../market/parse.ts';
import { type ListedEventWire, readListedEvent } from '../market/wire.ts';
import { isStopped } from '../retry.ts';
import type { CryptoSource } from '../source.ts';
import { parseCryptoMarket } from './parse.ts';

export interface CryptoSourceOptions {
  gamma: HttpTransport;
  seriesSlugs: readonly string[];
  clock: Clock;
}

/** Several series may share one id in the listing, so we request more events than we keep. */
const EVENTS_PER_SERIES = 100;
/** Short windows are listed a day ahead; the current one and the next few are enough. */
const MARKETS_PER_SERIES = 3;

export function createCryptoSource(options: CryptoSourceOptions): CryptoSource {
  const listing = createEventListing(options.gamma);
  return {
    fetchMarkets: (signal, onOddity = () => {}) => fetchAllSeries(options, listing, signal, onOddity),
  };
}

/** One unreadable series does not affect the others; the call fails only if none can be read. */
async function fetchAllSeries(
  options: CryptoSourceOptions,
  listing: EventListing,
  signal: AbortSignal,
  onOddity: (oddity: string) => void,
): Promise<CryptoMarket[]> {
  const byId = new Map<number, CryptoMarket>();
  const failures: string[] = [];
  for (const slug of options.seriesSlugs) {
    try {
      for (const market of await fetchSeries(options, listing, slug, signal, onOddity))
        byId.set(market.eventId, market);
    } catch (error) {
      if (isStopped(signal)) throw error;
      failures.push(errorMessage(error));
    }
  }
  if (failures.length > 0 && failures.length === options.seriesSlugs.length) {
    const problem = `crypto: no series could be read (${[...new Set(failures)].join('; ')})`;
    throw new SourceError(problem, { isRetryable: true });
  }
  for (const failure of failures) onOddity(failure);
  return [...byId.values()].sort((left, right) => left.endTs - right.endTs || left.eventId - right.eventId);
}

async function fetchSeries(
  options: CryptoSourceOptions,
  listing: EventListing,
  seriesSlug: string,
  signal: AbortSignal,
  onOddity: (oddity: string) => void,
): Promise<CryptoMarket[]> {
  const nowTs = options.clock.now();
  const query = {
    closed: false,
    end_date_min: new Date(nowTs).toISOString(),
    order: 'endDate',
    ascending: true,
  };
  const { events } = await listing.fetchFirst({ seriesSlug }, query, EVENTS_PER_SERIES, signal);
  const read = events.map(readListedEvent);
  const unreadable = read.filter((event) => event === null).length;
  if (unreadable > 0) onOddity(`${unreadable} listed event(s) of ${seriesSlug} have no id, title or slug`);
  const chosen = read
    .filter((event) => event !== null)
    .filter((event) => !event.isClosed && !event.isArchived && event.seriesSlugs.includes(seriesSlug))
    .map((event) => ({ event, market: parseCryptoMarket(event) }))
    .filter((one): one is { event: ListedEventWire; market: CryptoMarket } => one.market !== null)
    .filter(({ market }) => market.endTs > nowTs)
    .sort((left, right) => left.market.endTs - right.market.endTs)
    .slice(0, MARKETS_PER_SERIES);
  for (const { event } of chosen) {
    const oddity = findPriceAlarm(event, 'it is shown without tokens');
    if (oddity) onOddity(oddity);
  }
  return chosen.map(({ market }) => market);
}
