// A periodic job that never overlaps itself; errors are logged, never thrown.

import { MINUTE_MS } from '../domain/units.ts';
import type { Clock } from '../runtime/clock.ts';
import { errorMessage } from '../runtime/errors.ts';
import type { Logger } from '../runtime/logger.ts';
import { createRepeat } from '../runtime/repeat.ts';

export interface Job {
  readonly name: string;
  start(): void;
  /** Runs one round now, after any running round has finished. */
  runOnce(): Promise<void>;
  /** Starts the next round now, or right after the current one. */
  wake(): void;
  /** Whether no round runs, is asked for, or must be repeated because it failed. */
  isResting(): boolean;
  /** Stops after the current round. */
  stop(): Promise<void>;
}

export interface JobOptions {
  name: string;
  periodMs: number;
  /** Minimum pause between rounds, however often it is woken; a function is evaluated after each round. */
  leastGapMs?: number | (() => number);
  clock: Clock;
  logger: Logger;
  run: () => Promise<void>;
}

/** Pause after a failed round; some jobs otherwise run only every few hours. */
const RETRY_MS = MINUTE_MS;

export function createJob({ name, periodMs, leastGapMs = 0, clock, logger, run }: JobOptions): Job {
  let round: Promise<void> = Promise.resolve();
  let isFailed = false;

  function runOnce(): Promise<void> {
    round = round.then(async () => {
      try {
        await run();
        isFailed = false;
      } catch (error) {
        isFailed = true;
        logger.error({ job: name, error: errorMessage(error) }, 'job failed; retrying');
      }
    });
    return round;
  }

  const pauseMs = () => (isFailed ? Math.min(RETRY_MS, periodMs) : periodMs);
  const rounds = createRepeat({ clock, pauseMs, leastGapMs, run: runOnce });

  return {
    name,
    runOnce,
    start: () => void rounds.start(),
    wake: rounds.wake,
    isResting: () => !isFailed && rounds.isResting(),
    async stop() {
      await rounds.stop();
      await round;
    },
  };
}
