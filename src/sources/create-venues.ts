// The table of additional venues: each row creates a venue's sources for an account. To add a venue, add a
// folder and a row here.

import type { Account } from '../domain/account.ts';
import type { ContractSeries, VenueId } from '../domain/contract.ts';
import type { Clock } from '../runtime/clock.ts';
import { UsageError } from '../runtime/errors.ts';
import { createHttpTransport, type Fetch, type HttpTransport } from './http-transport.ts';
import { createKalshiSource, KALSHI } from './kalshi/client.ts';
import { isKalshiToken } from './kalshi/parse.ts';
import { createKalshiPriceHistory } from './kalshi/past.ts';
import { createKalshiQuotes } from './kalshi/quote-client.ts';
import { createSigner, type KalshiKey, signFetch } from './kalshi/signing.ts';
import { type JsonReads, paceReads } from './paced-reads.ts';
import { createRollcallSettlement, ROLLCALL } from './rollcall/client.ts';
import type { SocketFactory } from './socket-session.ts';
import type { FetchPastPrices, MarketSource, QuoteSource, SettlementSource, VenueSources } from './source.ts';

export interface VenueSettings {
  kalshi: { baseUrl: string; socketUrl: string; key: KalshiKey | null };
  rollcall: { baseUrl: string };
}

export interface VenueToolsOptions {
  settings: VenueSettings;
  fetch: Fetch;
  createSocket: SocketFactory;
  clock: Clock;
  requestTimeoutMs?: number;
  timeScale?: number;
  pastReadsPerSecond?: number;
  paceClock?: Clock;
}

/** Half of what the venue allows without a key. */
const PAST_READS_PER_SECOND = 10;

interface Venue {
  createMarket(account: Account, series: readonly ContractSeries[]): MarketSource;
  quotes: QuoteSource;
  fetchPastPrices: FetchPastPrices;
  hasToken(tokenId: string): boolean;
}

export interface VenueFactory {
  create(account: Account): VenueSources[];
  joinPastPrices(first: FetchPastPrices): FetchPastPrices;
}

export function createVenueFactory(options: VenueToolsOptions): VenueFactory {
  const venues: Readonly<Record<VenueId, Venue>> = { [KALSHI]: openKalshi(options) };
  const rollcall = open(options, ROLLCALL, options.settings.rollcall.baseUrl, options.fetch);
  const settlements: Readonly<Record<string, (account: Account) => SettlementSource>> = {
    [ROLLCALL]: (account) => createRollcallSettlement({ account, http: rollcall, clock: options.clock }),
  };

  function createOne(account: Account, venue: VenueId): VenueSources {
    const series = account.contracts!.filter((contract) => contract.venue === venue);
    const names = [...new Set(series.map(({ settlementSource }) => settlementSource))];
    const unknown = venues[venue] ? names.find((name) => !settlements[name]) : venue;
    if (unknown !== undefined)
      throw new UsageError(
        `account ${account.segment}: "${unknown}" is not a known venue or settlement source`,
      );
    return {
      venue,
      market: venues[venue]!.createMarket(account, series),
      quotes: venues[venue]!.quotes,
      settlement: names.map((name) => settlements[name]!(account)),
    };
  }

  return {
    create: (account) =>
      [...new Set((account.contracts ?? []).map(({ venue }) => venue))].map((venue) =>
        createOne(account, venue),
      ),
    joinPastPrices: (first) => (tokenId, span, signal) => {
      const venue = Object.values(venues).find(({ hasToken }) => hasToken(tokenId));
      return (venue?.fetchPastPrices ?? first)(tokenId, span, signal);
    },
  };
}

function openKalshi(options: VenueToolsOptions): Venue {
  const { clock, createSocket, timeScale } = options;
  const { baseUrl, socketUrl, key } = options.settings.kalshi;
  const sign = key && createSigner(key);
  const http = open(
    options,
    KALSHI,
    baseUrl,
    sign ? signFetch(options.fetch, sign, clock.now) : options.fetch,
  );
  const past: JsonReads = paceReads(
    http,
    options.pastReadsPerSecond ?? PAST_READS_PER_SECOND,
    options.paceClock,
  );
  return {
    createMarket: ({ accountId }, series) => createKalshiSource({ accountId, series, http, clock }),
    quotes: createKalshiQuotes({
      http,
      streamUrl: socketUrl,
      createSocket,
      clock,
      sign,
      ...(timeScale === undefined ? {} : { timeScale }),
    }),
    fetchPastPrices: createKalshiPriceHistory(past),
    hasToken: isKalshiToken,
  };
}

function open(
  { clock, requestTimeoutMs }: VenueToolsOptions,
  name: string,
  baseUrl: string,
  fetch: Fetch,
): HttpTransport {
  const timeout = requestTimeoutMs === undefined ? {} : { timeoutMs: requestTimeoutMs };
  return createHttpTransport({ name, baseUrl, fetch, clock, ...timeout });
}
