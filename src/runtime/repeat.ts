// Repeats work until stopped: the only timer that re-arms itself. Runs never overlap, none starts after
// stop(), and stop() waits for the current run. Hand-written timers got this wrong: stop() cancelled a timer
// that had already fired, and the run in progress armed the next one.

import type { Clock } from './clock.ts';

export interface Repeat {
  /** Starts now or after `firstPauseMs`; if now, resolves when the first run has ended. */
  start(): Promise<void>;
  /** Starts the next run now or right after the current one. No effect before start() or after stop(). */
  wake(): void;
  /** Whether nothing runs and nothing was asked for: only the pause ends this. */
  isResting(): boolean;
  /** Starts no more runs, aborts the signal of the current run and waits for it to end. */
  stop(): Promise<void>;
}

export interface RepeatOptions {
  clock: Clock;
  /** From the end of a run to the start of the next; a function is evaluated after each run. */
  pauseMs: number | (() => number);
  firstPauseMs?: number;
  /** Minimum pause between runs, however often wake() is called; a function is evaluated after each run. */
  leastGapMs?: number | (() => number);
  run: (signal: AbortSignal) => void | Promise<void>;
  /** Receives failures; work continues after the pause. Without it, a failure crashes the process. */
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

  /** Returns undefined if the work ended synchronously. */
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

  /** Never longer than the gap itself, because setting the clock back must not stop the work. */
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
    isResting: () => !isStarted || !(isRunning || isWoken),
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
