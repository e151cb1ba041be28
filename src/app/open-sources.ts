// Adapters for the configured accounts: live addresses, or those of the simulator.

import { WebSocket } from 'ws';
import type { Config } from '../config/config.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Random } from '../runtime/random.ts';
import { createSources, DEFAULT_CRYPTO_SERIES, type SourcesOptions } from '../sources/create-sources.ts';
import type { SocketLike } from '../sources/socket-session.ts';
import type { Sources } from '../sources/source.ts';
import { type OpenSimulator, simulatorAccounts, simulatorSourceUrls } from './open-simulator.ts';

export interface OpenSourcesOptions {
  config: Config;
  simulator: OpenSimulator | null;
  clock: Clock;
  random: Random;
  /** How the outside is reached; the real network unless told otherwise. */
  network?: Pick<SourcesOptions, 'fetch' | 'createSocket'>;
}

export const REAL_NETWORK: Pick<SourcesOptions, 'fetch' | 'createSocket'> = {
  fetch: (url, init) => fetch(url, init),
  createSocket: (url) => new WebSocket(url) as unknown as SocketLike,
};

/** The simulator takes any credential; the header must be there as it is for the real one. */
const SIMULATOR_TOKEN = 'simulator';
const SIMULATOR_PRICE_CREDENTIALS = {
  apiKey: SIMULATOR_TOKEN,
  secret: SIMULATOR_TOKEN,
  passphrase: SIMULATOR_TOKEN,
};
const REQUEST_TIMEOUT_MS = 15_000;
const STREAM_SILENT_AFTER_MS = 60_000;

export function openSources({ config, simulator, clock, random, network }: OpenSourcesOptions): Sources {
  const urls = simulator ? simulatorSourceUrls(simulator.urls) : config.urls;
  const accounts = simulator ? simulatorAccounts(config.accounts, simulator.urls) : config.accounts;
  const speed = simulator?.speed ?? 1;
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
    xBearerToken: simulator ? SIMULATOR_TOKEN : (config.secrets.xBearerToken ?? ''),
    mastodonAccessToken: config.secrets.mastodonToken ?? '',
    cryptoCredentials: simulator ? SIMULATOR_PRICE_CREDENTIALS : readPriceCredentials(config),
    postSources: {
      ...config.postSources,
      twitterapi: {
        ...config.postSources.twitterapi,
        baseUrl: urls.twitterapi ?? '',
        credential: simulator ? SIMULATOR_TOKEN : (config.secrets.twitterapiKey ?? ''),
      },
    },
    cryptoSeries: config.cryptoSeries.length > 0 ? config.cryptoSeries : DEFAULT_CRYPTO_SERIES,
    ...(network ?? REAL_NETWORK),
    clock,
    random,
    timeScale: Math.max(1, speed),
    requestTimeoutMs: REQUEST_TIMEOUT_MS * Math.max(1, speed),
    streamSilentAfterMs: STREAM_SILENT_AFTER_MS * Math.max(1, speed),
    ...(simulator ? { oracleCallSpacingMs: 0 } : {}),
  });
}

function readPriceCredentials({ secrets }: Config): SourcesOptions['cryptoCredentials'] {
  const { cryptoApiKey, cryptoApiSecret, cryptoApiPassphrase } = secrets;
  if (cryptoApiKey === null || cryptoApiSecret === null || cryptoApiPassphrase === null) return null;
  return { apiKey: cryptoApiKey, secret: cryptoApiSecret, passphrase: cryptoApiPassphrase };
}
