// The clock of one simulated process; it can pause, die and be set wrong.

import type { Clock } from '../../src/runtime/clock.ts';

export interface ProcessClock extends Clock {
  /** Steps the clock, as an operator or NTP would. */
  step(byMs: number): void;
  pause(): void;
  /** Runs the timers that became due in the meantime. */
  resume(): void;
  /** No scheduled timer fires again. */
  die(): void;
}

export function createProcessClock(base: Clock): ProcessClock {
  const cancels = new Set<() => void>();
  let missed: (() => void)[] = [];
  let offsetMs = 0;
  let isPaused = false;
  let isDead = false;

  return {
    now: () => base.now() + offsetMs,
    after(delayMs, action) {
      if (isDead) return () => {};
      let isCancelled = false;
      const run = () => {
        if (!isCancelled && !isDead) action();
      };
      const cancelBase = base.after(delayMs, () => {
        cancels.delete(cancel);
        if (isPaused) missed.push(run);
        else run();
      });
      const cancel = () => {
        isCancelled = true;
        cancels.delete(cancel);
        cancelBase();
      };
      cancels.add(cancel);
      return cancel;
    },
    step(byMs) {
      offsetMs += byMs;
    },
    pause() {
      isPaused = true;
    },
    resume() {
      isPaused = false;
      const late = missed;
      missed = [];
      for (const run of late) run();
    },
    die() {
      isDead = true;
      missed = [];
      for (const cancel of [...cancels]) cancel();
    },
  };
}
