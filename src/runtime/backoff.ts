// Retry delays.

import { SourceError } from './errors.ts';
import type { Random } from './random.ts';

export interface Backoff {
  periodMs: number;
  /** Longest pause between failing attempts. */
  maxBackoffMs: number;
  random: Random;
}

/** Exponential, with jitter in the upper half; a longer Retry-After takes precedence. */
export function backoffMs(
  { periodMs, maxBackoffMs, random }: Backoff,
  failures: number,
  error: unknown,
): number {
  const ceilingMs = Math.min(maxBackoffMs, periodMs * 2 ** Math.min(failures, 16));
  const jitteredMs = ceilingMs * (0.5 + 0.5 * random.uniform());
  const askedMs = error instanceof SourceError ? (error.retryAfterMs ?? 0) : 0;
  return Math.max(jitteredMs, askedMs);
}
