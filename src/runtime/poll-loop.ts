// A polling loop with timeouts, jittered backoff and a clean stop. Attempts never overlap.

import type { Clock } from './clock.ts';
import { SourceError } from './errors.ts';
import type { Random } from './random.ts';
import { createRepeat } from './repeat.ts';

export interface PollLoopOptions {
  periodMs: number;
  timeoutMs: number;
  /** Longest pause between failing attempts. */
  maxBackoffMs: number;
  clock: Clock;
  random: Random;
  runOnce: (signal: AbortSignal) => Promise<void>;
  onError: (error: unknown, consecutiveFailures: number) => void;
}

export interface PollLoop {
  start(): void;
  /** Aborts the current attempt and waits for it to end. */
  stop(): Promise<void>;
  /** Ends the current pause, so that the next attempt starts immediately. */
  wake(): void;
}

export function createPollLoop(options: PollLoopOptions): PollLoop {
  let failures = 0;
  let pauseMs = options.periodMs;

  async function poll(stopSignal: AbortSignal): Promise<void> {
    const startedTs = options.clock.now();
    try {
      await attempt(options, stopSignal);
      failures = 0;
      // Never longer than the period, because setting the clock back must not stop the loop.
      pauseMs = Math.min(options.periodMs, Math.max(0, startedTs + options.periodMs - options.clock.now()));
    } catch (error) {
      if (stopSignal.aborted) return;
      failures += 1;
      pauseMs = backoffMs(options, failures, error);
      options.onError(error, failures);
    }
  }

  const polls = createRepeat({ clock: options.clock, pauseMs: () => pauseMs, run: poll });
  return { start: () => void polls.start(), wake: polls.wake, stop: polls.stop };
}

async function attempt(options: PollLoopOptions, stopSignal: AbortSignal): Promise<void> {
  const timeout = new AbortController();
  const cancel = options.clock.after(options.timeoutMs, () =>
    timeout.abort(new SourceError(`no response within ${options.timeoutMs} ms`, { isRetryable: true })),
  );
  try {
    await options.runOnce(AbortSignal.any([stopSignal, timeout.signal]));
  } finally {
    cancel();
  }
}

// Retry delays.

interface Backoff {
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
