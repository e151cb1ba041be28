// Work done again and again until it is stopped: the one timer that re-arms itself. It never overlaps itself, never
// begins after stop(), and stop() waits for the run in hand. Timers written by hand got this wrong: stop() cancelled
// the timer that had fired already, and the read in flight armed the next one when it came back.

import type { Clock } from './clock.ts';

export interface Repeat {
  /** Begins now, or after `firstPauseMs`; resolves when a run that began now is over. */
  start(): Promise<void>;
  /** The next run begins now, or right after the one in hand. Without effect before start() and after stop(). */
  wake(): void;
  /** No run begins any more; the signal of the one in hand aborts, and it is waited for. */
  stop(): Promise<void>;
}

export interface RepeatOptions {
  clock: Clock;
  /** From the end of a run to the beginning of the next; a function is asked after each run. */
  pauseMs: number | (() => number);
  firstPauseMs?: number;
  /** Least pause between two runs, however often it is woken; a function is asked after each run. */
  leastGapMs?: number | (() => number);
  run: (signal: AbortSignal) => void | Promise<void>;
  /** A run that fails is told of, and done again after the pause. Without it a failure is the process's. */
  onError?: (error: unknown) => void;
}

export function createRepeat({ clock, leastGapMs = 0, onError = raise, ...options }: RepeatOptions): Repeat {
  const stopping = new AbortController();
  let isStarted = false;
  let isRunning = false;
  let isWoken = false;
  let endedTs = Number.NEGATIVE_INFINITY;
  let gapMs = 0;
  let cancelTimer = () => {};
  let inHand: Promise<void> = Promise.resolve();

  function begin(): void {
    if (stopping.signal.aborted) return;
    isRunning = true;
    isWoken = false;
    const running = runNow();
    if (running) inHand = running.catch(onError).then(end);
    else end();
  }

  /** Nothing to wait for where the work was done, or failed, in the call itself. */
  function runNow(): Promise<void> | undefined {
    try {
      return options.run(stopping.signal) ?? undefined;
    } catch (error) {
      onError(error);
      return undefined;
    }
  }

  function end(): void {
    isRunning = false;
    endedTs = clock.now();
    gapMs = toMs(leastGapMs);
    arm(isWoken ? gapMs : toMs(options.pauseMs));
  }

  function arm(delayMs: number): void {
    cancelTimer();
    if (!stopping.signal.aborted) cancelTimer = clock.after(delayMs, begin);
  }

  /** Never longer than the gap itself: a clock that was set back in the middle must not stop the work. */
  function remainingGapMs(): number {
    return Math.min(gapMs, Math.max(0, endedTs + gapMs - clock.now()));
  }

  return {
    async start() {
      if (isStarted) return;
      isStarted = true;
      if (options.firstPauseMs) arm(options.firstPauseMs);
      else begin();
      await inHand;
    },
    wake() {
      isWoken = true;
      if (!isStarted || isRunning) return;
      cancelTimer();
      const leftMs = remainingGapMs();
      if (leftMs > 0) arm(leftMs);
      else begin();
    },
    async stop() {
      stopping.abort();
      cancelTimer();
      await inHand;
    },
  };
}

function toMs(ms: number | (() => number)): number {
  return typeof ms === 'number' ? ms : ms();
}

function raise(error: unknown): never {
  throw error;
}
