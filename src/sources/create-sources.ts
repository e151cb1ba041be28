// Builds every adapter from plain options. Live and simulated sources differ only in addresses and
// credentials.

import type { Account } from '../domain/account.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Random } from '../runtime/random.ts';
import {
  createPostSourceFactory,
  NO_SETTINGS,
  type PostSourceFactory,
  type PostSourceSettings,
} from './create-post-sources.ts';
import { createVenueFactory, type VenueFactory, type VenueSettings } from './create-venues.ts';
import { createCryptoSource } from './crypto/client.ts';
import type { Fetch, HttpTransport } from './http-transport.ts';
import { createHttpTransport } from './http-transport.ts';
import { createMarketSource } from './market/client.ts';
import { createPriceHistory } from './market/price-history.ts';
import { createQuoteSource } from './market/quote-client.ts';
import { createOracleSource } from './oracle/client.ts';
import { type JsonReads, paceReads } from './paced-reads.ts';
import { createProxyFetch } from './proxy-fetch.ts';
import type { SocketFactory } from './socket-session.ts';
import type { AccountSources, PostSourceKind, Sources } from './source.ts';
import { createWalletSource } from './wallet/client.ts';

export interface SourceUrls {
  /** Base URL that precedes /2/… */
  xApi: string;
  /** Base URL that precedes /api/v1/… */
  mastodon: string;
  /** URL up to and including the oracle's /api. */
  oracle: string;
  marketGamma: string;
  marketClob: string;
  /** Base URL that precedes /ws/market, or the whole URL. */
  marketWs: string;
  marketData: string;
}

export interface SourcesOptions {
  accounts: readonly Account[];
  urls: SourceUrls;
  /** Bearer token of the X API; empty for none. */
  xBearerToken: string;
  /** Bearer token of the Mastodon server; most read calls need none. */
  mastodonAccessToken?: string;
  /** Settings per kind of post source, in addition to the addresses and tokens above. */
  postSources?: Partial<Record<PostSourceKind, Partial<PostSourceSettings>>>;
  /** How to reach additional venues; not needed by accounts without contracts there. */
  venues?: VenueSettings;
  cryptoSeries?: readonly string[];
  fetch: Fetch;
  createSocket: SocketFactory;
  clock: Clock;
  random: Random;
  requestTimeoutMs?: number;
  /** Pause between consecutive calls of one oracle sync. */
  oracleCallSpacingMs?: number;
  /** Requests per second to each service for past prices and trades. */
  pastReadsPerSecond?: number;
  /** Whether past prices and trades are read at all; true by default. */
  readsPast?: boolean;
  /** Paces those reads; real time by default. */
  paceClock?: Clock;
  streamSilentAfterMs?: number;
  /** Clock speed relative to real time, for operations that take real time: connecting, heartbeats. */
  timeScale?: number;
}

/** The market's services throttle above 20 per second, counted over ten seconds. */
const PAST_READS_PER_SECOND = 12;

export const DEFAULT_CRYPTO_SERIES: readonly string[] = [
  'btc-up-or-down-15m',
  'eth-up-or-down-15m',
  'sol-up-or-down-15m',
  'xrp-up-or-down-15m',
  'btc-up-or-down-hourly',
  'eth-up-or-down-hourly',
  'btc-up-or-down-daily',
  'eth-up-or-down-daily',
  'btc-multi-strikes-daily',
  'btc-price-daily',
  'bitcoin-hit-price-weekly',
];

export function createSources(options: SourcesOptions): Sources {
  const http = createTransports(options);
  const postSources = createPostSourceFactory({ ...options, settings: postSourceSettings(options) });
  const { clock, createSocket } = options;
  const pace = {
    timeScale: options.timeScale ?? 1,
    ...(options.streamSilentAfterMs === undefined ? {} : { silentAfterMs: options.streamSilentAfterMs }),
  };
  const venues = options.venues && createVenueFactory({ ...options, settings: options.venues });
  const quotes = createQuoteSource({
    clob: http.clob,
    streamUrl: marketChannelUrl(options.urls.marketWs),
    createSocket,
    clock,
    ...pace,
  });
  const perSecond = options.pastReadsPerSecond ?? PAST_READS_PER_SECOND;
  const paced = (reads: JsonReads) => paceReads(reads, perSecond, options.paceClock);
  const past = { clob: paced(http.clob), data: paced(http.data) };
  const pastPrices = createPriceHistory(past, clock);
  return {
    accounts: options.accounts.map((account) =>
      createAccountSources(options, http, postSources, venues, account),
    ),
    meters: postSources.meters,
    quotes,
    ...(options.readsPast === false
      ? {}
      : {
          fetchPastPrices: venues?.joinPastPrices(pastPrices) ?? pastPrices,
        }),
    wallets: createWalletSource(http.data),
    crypto: createCryptoSource({
      gamma: http.gamma,
      seriesSlugs: options.cryptoSeries ?? DEFAULT_CRYPTO_SERIES,
      clock,
    }),
  };
}

interface Transports {
  oracle: HttpTransport;
  gamma: HttpTransport;
  clob: HttpTransport;
  data: HttpTransport;
}

function createTransports(options: SourcesOptions): Transports {
  const open = (name: string, baseUrl: string, { proxy, userAgent }: Partial<PostSourceSettings> = {}) =>
    createHttpTransport({
      name,
      baseUrl,
      fetch: proxy ? createProxyFetch(proxy) : options.fetch,
      clock: options.clock,
      ...(userAgent ? { userAgent } : {}),
      ...(options.requestTimeoutMs === undefined ? {} : { timeoutMs: options.requestTimeoutMs }),
    });
  const { urls } = options;
  return {
    oracle: open('oracle', urls.oracle, options.postSources?.oracle),
    gamma: open('market listing', urls.marketGamma),
    clob: open('market books', urls.marketClob),
    data: open('wallet', urls.marketData),
  };
}

function createAccountSources(
  options: SourcesOptions,
  http: Transports,
  postSources: PostSourceFactory,
  venues: VenueFactory | undefined,
  account: Account,
): AccountSources {
  const { clock, oracleCallSpacingMs } = options;
  const oracle = createOracleSource({
    account,
    platform: account.oraclePlatform,
    http: http.oracle,
    clock,
    ...(oracleCallSpacingMs === undefined ? {} : { callSpacingMs: oracleCallSpacingMs }),
  });
  return {
    account,
    posts: postSources.create(account, oracle),
    oracle,
    market: createMarketSource({
      account,
      scope: account.market,
      gamma: http.gamma,
      data: http.data,
      clock,
    }),
    ...(venues && account.contracts ? { venues: venues.create(account) } : {}),
  };
}

function postSourceSettings({
  urls,
  xBearerToken,
  mastodonAccessToken,
  postSources = {},
}: SourcesOptions): Partial<Record<PostSourceKind, PostSourceSettings>> {
  return {
    x: { ...NO_SETTINGS, baseUrl: urls.xApi, credential: xBearerToken, ...postSources.x },
    mastodon: {
      ...NO_SETTINGS,
      baseUrl: urls.mastodon,
      credential: mastodonAccessToken ?? '',
      ...postSources.mastodon,
    },
    oracle: { ...NO_SETTINGS, baseUrl: urls.oracle, ...postSources.oracle },
    rss: { ...NO_SETTINGS, ...postSources.rss },
    rollcall: { ...NO_SETTINGS, ...postSources.rollcall },
  };
}

function marketChannelUrl(url: string): string {
  const trimmed = url.replace(/\/+$/, '');
  return trimmed.endsWith('/ws/market') ? trimmed : `${trimmed}/ws/market`;
}
