// A job: work done now and then. It never overlaps itself, and an error is logged, never thrown at the process.

import { type Clock, sleep } from '../runtime/clock.ts';
import { errorMessage } from '../runtime/errors.ts';
import type { Logger } from '../runtime/logger.ts';

export interface Job {
  readonly name: string;
  start(): void;
  /** One round, now; waits for a round that is under way and then does another. */
  runOnce(): Promise<void>;
  /** The next round begins at once, or right after the one under way. */
  wake(): void;
  /** Waits for the round in hand. */
  stop(): Promise<void>;
}

export interface JobOptions {
  name: string;
  periodMs: number;
  /** Least pause between two rounds, however often it is woken. */
  leastGapMs?: number;
  clock: Clock;
  logger: Logger;
  run: () => Promise<void>;
}

export function createJob({ name, periodMs, leastGapMs = 0, clock, logger, run }: JobOptions): Job {
  const stopping = new AbortController();
  let pause = new AbortController();
  let isWoken = false;
  let round: Promise<void> = Promise.resolve();
  let looping: Promise<void> | null = null;

  function runOnce(): Promise<void> {
    round = round.then(async () => {
      try {
        await run();
      } catch (error) {
        logger.error({ job: name, error: errorMessage(error) }, 'job failed; it will try again');
      }
    });
    return round;
  }

  async function loop(): Promise<void> {
    while (!stopping.signal.aborted) {
      isWoken = false;
      await runOnce();
      if (leastGapMs > 0) await sleep(clock, leastGapMs, stopping.signal);
      if (isWoken) continue;
      pause = new AbortController();
      await sleep(
        clock,
        Math.max(0, periodMs - leastGapMs),
        AbortSignal.any([stopping.signal, pause.signal]),
      );
    }
  }

  return {
    name,
    runOnce,
    start() {
      looping ??= loop();
    },
    wake() {
      isWoken = true;
      pause.abort();
    },
    async stop() {
      stopping.abort();
      await looping;
      await round;
    },
  };
}
