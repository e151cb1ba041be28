// Reads of the past at a steady pace below a service's limits. When the service asks for a pause, all reads
// through the same pacer wait.

import { SECOND_MS } from '../domain/units.ts';
import { type Clock, sleep, systemClock } from '../runtime/clock.ts';
import { SourceError } from '../runtime/errors.ts';
import type { HttpTransport } from './http-transport.ts';

export type JsonReads = Pick<HttpTransport, 'getJson'>;

const MAX_ATTEMPTS = 5;
/** For a refusal without Retry-After; doubles with each attempt. Limits are counted over ten seconds. */
const BASE_PAUSE_MS = 5 * SECOND_MS;
const MAX_PAUSE_MS = 120 * SECOND_MS;

/** `clock` is real time, also on a simulator that runs faster. */
export function paceReads(http: JsonReads, perSecond: number, clock: Clock = systemClock): JsonReads {
  const gapMs = SECOND_MS / perSecond;
  let freeTs = 0;
  let pausedUntilTs = 0;

  async function waitForTurn(signal: AbortSignal): Promise<void> {
    const nowTs = clock.now();
    const turnTs = Math.max(nowTs, freeTs);
    freeTs = turnTs + gapMs;
    if (turnTs > nowTs) await sleep(clock, turnTs - nowTs, signal);
    signal.throwIfAborted();
    // A pause was requested while this read waited.
    if (pausedUntilTs > clock.now()) await waitForTurn(signal);
  }

  function pause(ms: number): void {
    pausedUntilTs = Math.max(pausedUntilTs, clock.now() + Math.min(MAX_PAUSE_MS, ms));
    freeTs = Math.max(freeTs, pausedUntilTs);
  }

  return {
    async getJson(path, query, signal) {
      for (let attempt = 1; ; attempt++) {
        await waitForTurn(signal);
        try {
          return await http.getJson(path, query, signal);
        } catch (error) {
          if (signal.aborted || attempt >= MAX_ATTEMPTS || !isBusy(error)) throw error;
          pause(error.retryAfterMs ?? BASE_PAUSE_MS * 2 ** (attempt - 1));
        }
      }
    },
  };
}

function isBusy(error: unknown): error is SourceError {
  return error instanceof SourceError && error.isRetryable && (error.status === 429 || error.status === 503);
}
