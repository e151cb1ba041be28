// Adapters for the configured accounts: live addresses, or those of the pretend world.

import { WebSocket } from 'ws';
import type { Config } from '../config/config.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Random } from '../runtime/random.ts';
import { createSources, DEFAULT_CRYPTO_SERIES, type SourcesOptions } from '../sources/create-sources.ts';
import type { SocketLike } from '../sources/socket-session.ts';
import type { Sources } from '../sources/source.ts';
import { type OpenWorld, worldAccounts, worldSourceUrls } from './open-world.ts';

export interface OpenSourcesOptions {
  config: Config;
  world: OpenWorld | null;
  clock: Clock;
  random: Random;
  /** How the outside is reached; the real network unless told otherwise. */
  network?: Pick<SourcesOptions, 'fetch' | 'createSocket'>;
}

export const REAL_NETWORK: Pick<SourcesOptions, 'fetch' | 'createSocket'> = {
  fetch: (url, init) => fetch(url, init),
  createSocket: (url) => new WebSocket(url) as unknown as SocketLike,
};

/** The world takes any credential; the header must be there as it is for the real one. */
const WORLD_TOKEN = 'pretend-world';
const WORLD_PRICE_CREDENTIALS = { apiKey: WORLD_TOKEN, secret: WORLD_TOKEN, passphrase: WORLD_TOKEN };
const REQUEST_TIMEOUT_MS = 15_000;
const STREAM_SILENT_AFTER_MS = 60_000;

export function openSources({ config, world, clock, random, network }: OpenSourcesOptions): Sources {
  const urls = world ? worldSourceUrls(world.urls) : config.urls;
  const accounts = world ? worldAccounts(config.accounts, world.urls) : config.accounts;
  const speed = world?.speed ?? 1;
  return createSources({
    accounts,
    urls: {
      xApi: urls.xApi ?? '',
      mastodon: urls.mastodon ?? '',
      oracle: urls.oracle ?? '',
      marketGamma: urls.gamma ?? '',
      marketClob: urls.clob ?? '',
      marketWs: urls.marketSocket ?? '',
      marketData: urls.marketData ?? '',
      cryptoWs: urls.cryptoSocket ?? '',
    },
    xBearerToken: world ? WORLD_TOKEN : (config.secrets.xBearerToken ?? ''),
    mastodonAccessToken: config.secrets.mastodonToken ?? '',
    cryptoCredentials: world ? WORLD_PRICE_CREDENTIALS : readPriceCredentials(config),
    postSources: {
      ...config.postSources,
      twitterapi: {
        ...config.postSources.twitterapi,
        baseUrl: urls.twitterapi ?? '',
        credential: world ? WORLD_TOKEN : (config.secrets.twitterapiKey ?? ''),
      },
    },
    cryptoSeries: config.cryptoSeries.length > 0 ? config.cryptoSeries : DEFAULT_CRYPTO_SERIES,
    ...(network ?? REAL_NETWORK),
    clock,
    random,
    timeScale: Math.max(1, speed),
    requestTimeoutMs: REQUEST_TIMEOUT_MS * Math.max(1, speed),
    streamSilentAfterMs: STREAM_SILENT_AFTER_MS * Math.max(1, speed),
    ...(world ? { oracleCallSpacingMs: 0 } : {}),
  });
}

function readPriceCredentials({ secrets }: Config): SourcesOptions['cryptoCredentials'] {
  const { cryptoApiKey, cryptoApiSecret, cryptoApiPassphrase } = secrets;
  if (cryptoApiKey === null || cryptoApiSecret === null || cryptoApiPassphrase === null) return null;
  return { apiKey: cryptoApiKey, secret: cryptoApiSecret, passphrase: cryptoApiPassphrase };
}
