// Finds one account's open and settled contracts in the venue's listing, by series.

import type { AccountId } from '../../domain/account.ts';
import type { ContractSeries } from '../../domain/contract.ts';
import type { MarketEvent } from '../../domain/market-event.ts';
import { HOUR_MS } from '../../domain/units.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { HttpTransport, Query } from '../http-transport.ts';
import type { MarketListing, MarketSource, SettledListing } from '../source.ts';
import { findWinner, parseEvent, quotesOfMarket } from './parse.ts';
import {
  type FeeChangeWire,
  isGone,
  type KalshiEventWire,
  type KalshiMarketWire,
  type KalshiSeriesWire,
  readCutoff,
  readEventPage,
  readFeeChanges,
  readMarketPage,
  readSeries,
  unexpectedShape,
} from './wire.ts';

/** Value of `venue` in its contracts. */
export const KALSHI = 'kalshi';

export interface KalshiSourceOptions {
  accountId: AccountId;
  series: readonly ContractSeries[];
  http: HttpTransport;
  clock: Clock;
}

const PAGE_SIZE = 200;
const MAX_PAGES = 50;
/** The frequency and fees of a series rarely change. */
const SERIES_HOLDS_MS = HOUR_MS;

interface KnownSeries {
  listed: KalshiSeriesWire;
  feeChanges: readonly FeeChangeWire[];
  readTs: number;
}

export function createKalshiSource(options: KalshiSourceOptions): MarketSource {
  const { http, clock } = options;
  const readCutoff = createCutoffReader(http, clock);
  const known = new Map<string, KnownSeries>();

  async function findSeries(ticker: string, signal: AbortSignal): Promise<KnownSeries | null> {
    const before = known.get(ticker);
    if (before && clock.now() - before.readTs < SERIES_HOLDS_MS) return before;
    try {
      const listed = readSeries(await http.getJson(`/series/${encodeURIComponent(ticker)}`, {}, signal));
      const query = { series_ticker: ticker, show_historical: true };
      const feeChanges = readFeeChanges(await http.getJson('/series/fee_changes', query, signal));
      const found = { listed, feeChanges, readTs: clock.now() };
      known.set(ticker, found);
      return found;
    } catch (error) {
      if (isGone(error)) return null;
      throw error;
    }
  }

  async function* walk(read: ReadEvents, signal: AbortSignal): AsyncGenerator<SeriesEvents> {
    for (const series of options.series) {
      const found = await findSeries(series.series, signal);
      if (!found) {
        yield { series, found, events: [], unreadable: 0 };
        continue;
      }
      const page = await read(series.series, signal);
      // The venue ignores unknown filters, so the series is checked again.
      const events = page.events.filter(({ seriesTicker }) => seriesTicker === series.series);
      yield { series, found, events, unreadable: page.unreadable };
    }
  }

  const readArchive: ReadEvents = async (series, signal) => ({
    events: await fetchArchived(http, series, signal),
    unreadable: 0,
  });

  return {
    async fetchEvents(_trackings, signal) {
      const listing = emptyListing(clock.now());
      const read: ReadEvents = (series) =>
        fetchEvents(http, { status: 'open', series_ticker: series }, signal);
      for await (const part of walk(read, signal)) addOpen(options, part, listing);
      listing.events.sort(
        (left, right) => left.window.endTs - right.window.endTs || left.eventId - right.eventId,
      );
      return listing;
    },
    async fetchSettled(sinceTs, signal) {
      const listing: SettledListing = { settled: [], rejected: [], problem: null };
      const query = { status: 'settled', min_close_ts: Math.floor(sinceTs / 1_000) };
      const read: ReadEvents = (series) => fetchEvents(http, { ...query, series_ticker: series }, signal);
      for await (const part of walk(read, signal)) addSettled(options, part, sinceTs, listing);
      if (sinceTs < (await readCutoff(signal)))
        for await (const part of walk(readArchive, signal)) addSettled(options, part, sinceTs, listing);
      listing.settled.sort((left, right) => left.event.window.endTs - right.event.window.endTs);
      return listing;
    },
  };
}

type ReadEvents = (
  series: string,
  signal: AbortSignal,
) => Promise<{ events: KalshiEventWire[]; unreadable: number }>;

interface SeriesEvents {
  series: ContractSeries;
  found: KnownSeries | null;
  events: readonly KalshiEventWire[];
  unreadable: number;
}

async function fetchEvents(
  http: HttpTransport,
  query: Query,
  signal: AbortSignal,
): Promise<{ events: KalshiEventWire[]; unreadable: number }> {
  const events: KalshiEventWire[] = [];
  let unreadable = 0;
  let cursor: string | null = null;
  for (let page = 0; page < MAX_PAGES; page++) {
    const fixed: Query = { ...query, with_nested_markets: true, limit: PAGE_SIZE, cursor };
    const read = readEventPage(await http.getJson('/events', fixed, signal));
    events.push(...read.events);
    unreadable += read.unreadable;
    if (read.cursor === null) return { events, unreadable };
    cursor = read.cursor;
  }
  throw unexpectedShape('the event cursor');
}

function emptyListing(asofTs: number): MarketListing {
  return {
    events: [],
    uiCounts: new Map(),
    quotes: [],
    rejected: [],
    conflicts: [],
    asofTs,
    alarms: [],
    missed: [],
    oddities: [],
  };
}

function parseOf({ accountId, clock }: KalshiSourceOptions, part: SeriesEvents, wire: KalshiEventWire) {
  const { listed, feeChanges } = part.found!;
  return parseEvent(wire, { accountId, series: part.series, listed, feeChanges, nowTs: clock.now() });
}

function addOpen(options: KalshiSourceOptions, part: SeriesEvents, listing: MarketListing): void {
  if (!part.found) listing.missed.push(`series ${part.series.series} does not exist on ${KALSHI}`);
  if (part.unreadable > 0) listing.oddities.push(`${part.unreadable} listed event(s) have no ticker`);
  if (part.found?.listed.feeType === 'flat')
    listing.oddities.push(`series ${part.series.series} has flat fees; the general fee is assumed`);
  for (const wire of part.events) {
    const event = parseOf(options, part, wire);
    if ('reason' in event) {
      listing.rejected.push({ eventId: null, title: wire.title, reason: event.reason });
      listing.missed.push(`'${wire.title}' is not followed: ${event.reason}`);
      continue;
    }
    listing.events.push(event);
    listing.uiCounts.set(event.eventId, null);
    listing.quotes.push(...wire.markets.flatMap((market) => quotesOfMarket(market, listing.asofTs)));
  }
}

/** Markets of one event may have settled on different sides of the cut-off. */
function isListed({ settled }: SettledListing, { eventId }: MarketEvent): boolean {
  return settled.some(({ event }) => event.eventId === eventId);
}

function addSettled(
  options: KalshiSourceOptions,
  part: SeriesEvents,
  sinceTs: number,
  listing: SettledListing,
): void {
  for (const wire of part.events) {
    const event = parseOf(options, part, wire);
    if ('reason' in event) {
      listing.rejected.push({ eventId: null, title: wire.title, reason: event.reason });
    } else if (event.window.endTs >= sinceTs && !isListed(listing, event)) {
      const closings = wire.markets.flatMap(({ settledTs }) => settledTs ?? []);
      const closedTs = closings.length > 0 ? Math.max(...closings) : null;
      listing.settled.push({ event, winningLabel: findWinner(wire), closedTs, uiCount: null });
    }
  }
}

// Settled contracts that are no longer listed. The archive has only markets, so we build events from them.

const ARCHIVE_PAGE_SIZE = 1_000;
const MAX_ARCHIVE_PAGES = 20;
/** The cut-off advances by one day per day, so an hour-old value is good enough. */
const CUTOFF_HOLDS_MS = HOUR_MS;

/** Returns the time before which settled contracts are in the archive; 0 if the venue has no archive. */
function createCutoffReader(http: HttpTransport, clock: Clock) {
  let known: { cutoffTs: number; readTs: number } | null = null;
  return async (signal: AbortSignal): Promise<number> => {
    if (known && clock.now() - known.readTs < CUTOFF_HOLDS_MS) return known.cutoffTs;
    known = { cutoffTs: await fetchCutoff(http, signal), readTs: clock.now() };
    return known.cutoffTs;
  };
}

async function fetchCutoff(http: HttpTransport, signal: AbortSignal): Promise<number> {
  try {
    return readCutoff(await http.getJson('/historical/cutoff', {}, signal));
  } catch (error) {
    if (isGone(error)) return 0;
    throw error;
  }
}

async function fetchArchived(
  http: HttpTransport,
  seriesTicker: string,
  signal: AbortSignal,
): Promise<KalshiEventWire[]> {
  const markets: KalshiMarketWire[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < MAX_ARCHIVE_PAGES; page++) {
    const query: Query = { series_ticker: seriesTicker, limit: ARCHIVE_PAGE_SIZE, cursor };
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
