// Repeats work until stopped: the one timer that re-arms itself. Runs never overlap, none begins after stop(), and
// stop() waits for the current run. Hand-written timers got this wrong: stop() cancelled a timer that had already
// fired, and the read in flight armed the next one.

import type { Clock } from './clock.ts';

export interface Repeat {
  /** Starts now, or after `firstPauseMs`; resolves when a run started now has ended. */
  start(): Promise<void>;
  /** Starts the next run now, or right after the current one. No effect before start() and after stop(). */
  wake(): void;
  /** Starts no further run, aborts the signal of the current one and waits for it. */
  stop(): Promise<void>;
}

export interface RepeatOptions {
  clock: Clock;
  /** From the end of a run to the start of the next; a function is evaluated after each run. */
  pauseMs: number | (() => number);
  firstPauseMs?: number;
  /** Minimum pause between two runs, however often it is woken; a function is evaluated after each run. */
  leastGapMs?: number | (() => number);
  run: (signal: AbortSignal) => void | Promise<void>;
  /** Receives failures; the run is repeated after the pause. Without it a failure crashes the process. */
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

  /** Nothing to wait for if the work ended synchronously. */
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

  /** Never longer than the gap itself: a clock moved back must not stop the work. */
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
