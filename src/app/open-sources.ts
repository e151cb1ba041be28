// Creates the adapters for the configured accounts, with live or simulator URLs.

import { SIMULATOR_TOKEN } from '../../simulator/simulator-state.ts';
import type { Config } from '../config/config.ts';
import type { Clock } from '../runtime/clock.ts';
import { UsageError } from '../runtime/errors.ts';
import { readPrivateFile } from '../runtime/private-files.ts';
import type { Random } from '../runtime/random.ts';
import { rememberSecrets } from '../runtime/secrets.ts';
import { createSources, DEFAULT_CRYPTO_SERIES, type SourcesOptions } from '../sources/create-sources.ts';
import type { KalshiKey } from '../sources/kalshi/signing.ts';
import { openSocket } from '../sources/socket-session.ts';
import type { Sources } from '../sources/source.ts';
import { type OpenSimulator, simulatorAccounts, simulatorSourceUrls } from './open-simulator.ts';

export interface OpenSourcesOptions {
  config: Config;
  simulator: Pick<OpenSimulator, 'urls' | 'speed'> | null;
  clock: Clock;
  random: Random;
  /** Replaces network access; the real network by default. */
  network?: Pick<SourcesOptions, 'fetch' | 'createSocket' | 'paceClock'>;
}

export const REAL_NETWORK: Pick<SourcesOptions, 'fetch' | 'createSocket'> = {
  fetch: (url, init) => fetch(url, init),
  createSocket: openSocket,
};

/** Per second; the simulator is on this machine. */
const SIMULATOR_PAST_READS = 400;
const REQUEST_TIMEOUT_MS = 15_000;
const STREAM_SILENT_AFTER_MS = 60_000;

export function openSources(options: OpenSourcesOptions): Sources {
  const { config, simulator, clock, random, network } = options;
  const urls = simulator ? simulatorSourceUrls(simulator.urls) : config.urls;
  const accounts = simulator ? simulatorAccounts(config, simulator.urls) : config.accounts;
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
    },
    xBearerToken: simulator ? SIMULATOR_TOKEN : (config.secrets.xBearerToken ?? ''),
    mastodonAccessToken: config.secrets.mastodonToken ?? '',
    postSources: {
      ...config.postSources,
      rollcall: { ...config.postSources.rollcall, baseUrl: urls.rollcall ?? '' },
    },
    venues: {
      kalshi: {
        baseUrl: urls.kalshi ?? '',
        socketUrl: urls.kalshiSocket ?? '',
        key: simulator ? null : readKalshiKey(config),
      },
      rollcall: { baseUrl: urls.rollcall ?? '' },
    },
    cryptoSeries: config.cryptoSeries.length > 0 ? config.cryptoSeries : DEFAULT_CRYPTO_SERIES,
    ...(network ?? REAL_NETWORK),
    clock,
    random,
    timeScale: Math.max(1, speed),
    requestTimeoutMs: REQUEST_TIMEOUT_MS * Math.max(1, speed),
    streamSilentAfterMs: STREAM_SILENT_AFTER_MS * Math.max(1, speed),
    readsPast: config.readPast,
    ...(simulator ? { oracleCallSpacingMs: 0, pastReadsPerSecond: SIMULATOR_PAST_READS } : {}),
  });
}

/** Key id and private key must both be set or both be absent; the file is read once. */
function readKalshiKey({ secrets, kalshiPrivateKeyFile: file }: Config): KalshiKey | null {
  const keyId = secrets.kalshiKeyId;
  if (keyId === null && file === null) return null;
  if (keyId === null || file === null) {
    const missing = keyId === null ? 'KALSHI_KEY_ID' : 'KALSHI_PRIVATE_KEY_FILE';
    throw new UsageError(`${missing} is not set; set both the key id and the private key`);
  }
  const privateKeyPem = readPrivateFile(file);
  rememberSecrets([privateKeyPem]);
  return { keyId, privateKeyPem };
}
