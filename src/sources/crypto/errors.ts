// Errors for crypto markets; listing errors are in ../market/errors.ts.

import { SourceError } from '../../runtime/errors.ts';
import type { PriceRefusal } from './wire.ts';

export function noneListed(failures: readonly string[]): SourceError {
  return new SourceError(`crypto: no series could be read (${[...new Set(failures)].join('; ')})`, {
    isRetryable: true,
  });
}

export function noCredentials(): SourceError {
  return new SourceError(
    'reference prices are off: CRYPTO_API_KEY, CRYPTO_API_SECRET and CRYPTO_API_PASSPHRASE are not set',
    { isRetryable: false, status: 401 },
  );
}

/** Pause when the server cannot check credentials. */
const AUTH_RETRY_MS = 30_000;

/** Errors that end the connection; null for errors that affect a single request. */
export function refusal(code: string): SourceError | null {
  if (code === 'auth_unavailable')
    return new SourceError('reference prices: the server cannot check credentials now (auth_unavailable)', {
      isRetryable: true,
      retryAfterMs: AUTH_RETRY_MS,
    });
  if (!/^auth/.test(code)) return null;
  return new SourceError(`reference prices: the credential was rejected (${code})`, {
    isRetryable: false,
    status: 401,
  });
}

/** Describes which data the server refused (e.g. with bad_filter or sub_limit), for the health report. */
export function describeRequestError({ code, channel, detail }: PriceRefusal): string {
  const about = [channel, detail].filter((text) => text !== null).join(': ');
  return `reference prices: the server refused a request (${code}${about ? `; ${about}` : ''})`;
}

export function lostFrames(channel: string, count: number): SourceError {
  return new SourceError(`reference prices: ${count} frame(s) of ${channel} were lost`, {
    isRetryable: true,
  });
}

/** When a server drains, reconnect once at a random time within ten seconds. */
const DRAIN_SPREAD_MS = 10_000;

/** Meaning of the server's own close codes; null for any other code. */
export function readCloseCode(code: number, chance: number): SourceError | null {
  const say = (what: string, isRetryable: boolean, more: object = {}) =>
    new SourceError(`reference prices: ${what} (close ${code})`, { isRetryable, ...more });
  switch (code) {
    case 4001:
      return say('the credential was rejected', false, { status: 401 });
    case 4002:
      return say('we were too slow for the server', true);
    case 4003:
      return say('the server is being restarted', true, { retryAfterMs: chance * DRAIN_SPREAD_MS });
    case 4008:
      return say('we violated the protocol; you need a newer version of this service', false);
    default:
      return null;
  }
}
