// Retries for long reads that must not lose their place: backfills and scans of many pages.

import type { Clock } from '../runtime/clock.ts';
import { sleep } from '../runtime/clock.ts';
import { SourceError } from '../runtime/errors.ts';
import type { Random } from '../runtime/random.ts';

export interface RetryOptions {
  clock: Clock;
  random: Random;
  attempts?: number;
  basePauseMs?: number;
  /** If the server asks for a longer pause, give up. */
  maxPauseMs?: number;
}

/** Enough to wait out a 15-minute rate window. */
const DEFAULT_MAX_PAUSE_MS = 16 * 60_000;

/** Retries until success, a permanent error, the last attempt or an abort. */
export async function withRetries<T>(
  options: RetryOptions,
  signal: AbortSignal,
  action: () => Promise<T>,
): Promise<T> {
  const attempts = options.attempts ?? 6;
  for (let attempt = 1; ; attempt++) {
    try {
      return await action();
    } catch (error) {
      if (!(error instanceof SourceError) || attempt >= attempts || signal.aborted) throw error;
      if (!error.isRetryable || (error.retryAfterMs ?? 0) > maxPauseMs(options)) throw error;
      await sleep(options.clock, pauseMs(options, attempt, error), signal);
    }
  }
}

function pauseMs(options: RetryOptions, attempt: number, error: SourceError): number {
  const ceilingMs = Math.min(maxPauseMs(options), (options.basePauseMs ?? 1_000) * 2 ** (attempt - 1));
  return Math.max(ceilingMs * (0.5 + 0.5 * options.random.uniform()), error.retryAfterMs ?? 0);
}

function maxPauseMs(options: RetryOptions): number {
  return options.maxPauseMs ?? DEFAULT_MAX_PAUSE_MS;
}

/** For a page in the middle of a poll: retry quickly or not at all. */
export const QUICK_RETRIES = { attempts: 4, basePauseMs: 200, maxPauseMs: 5_000 };

/** False for a poll that timed out: unlike a stopped caller, it can still use its earlier results. */
export function isStopped(signal: AbortSignal): boolean {
  return signal.aborted && !(signal.reason instanceof SourceError);
}

/** Runs `action` on all items, at most `width` at a time; the first failure ends it. */
export async function mapWidth<T, R>(
  items: readonly T[],
  width: number,
  action: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = new Array(items.length);
  let next = 0;
  const worker = async () => {
    while (next < items.length) {
      const index = next++;
      results[index] = await action(items[index]!);
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, worker));
  return results;
}

export function chunk<T>(items: readonly T[], size: number): T[][] {
  const chunks: T[][] = [];
  for (let at = 0; at < items.length; at += size) chunks.push(items.slice(at, at + size));
  return chunks;
}
