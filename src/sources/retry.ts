// Asking again, for long reads that must not lose their place: back-fills and scans of many pages.

import type { Clock } from '../runtime/clock.ts';
import { sleep } from '../runtime/clock.ts';
import { SourceError } from '../runtime/errors.ts';
import type { Random } from '../runtime/random.ts';

export interface RetryOptions {
  clock: Clock;
  random: Random;
  attempts?: number;
  basePauseMs?: number;
  maxPauseMs?: number;
}

/** Tries until it works, the error is lasting, the attempts are used up or the signal aborts. */
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
      const isHopeless = !(error instanceof SourceError) || !error.isRetryable || attempt >= attempts;
      if (isHopeless || signal.aborted) throw error;
      await sleep(options.clock, pauseMs(options, attempt, error), signal);
    }
  }
}

function pauseMs(options: RetryOptions, attempt: number, error: SourceError): number {
  const ceilingMs = Math.min(
    options.maxPauseMs ?? 60_000,
    (options.basePauseMs ?? 1_000) * 2 ** (attempt - 1),
  );
  return Math.max(ceilingMs * (0.5 + 0.5 * options.random.uniform()), error.retryAfterMs ?? 0);
}

/** Runs `action` over all items, at most `width` at a time; the first failure ends it. */
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
