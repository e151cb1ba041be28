// Time that ignores clock changes, so that setting the clock neither refills nor uses up an hourly allowance.

import { type Clock, systemClock } from './clock.ts';

/** A larger difference means that the clock was set; a smaller one is drift. */
const JUMP_MS = 2_000;

export interface SteadyTime {
  /** The clock's time, minus all adjustments since the start. */
  toSteady(wallTs: number): number;
  toWall(steadyTs: number): number;
}

/** `aheadMs` is how far the clock is ahead of steady time, as measured by another process. */
export function createSteadyTime(
  elapsedMs: () => number = () => performance.now(),
  aheadMs: number = 0,
): SteadyTime {
  let lastWallTs = Number.NaN;
  let lastElapsedMs = 0;
  return {
    toSteady(wallTs) {
      const elapsed = elapsedMs();
      const jumpMs = wallTs - lastWallTs - (elapsed - lastElapsedMs);
      if (Math.abs(jumpMs) > JUMP_MS) aheadMs += jumpMs;
      lastWallTs = wallTs;
      lastElapsedMs = elapsed;
      return wallTs - aheadMs;
    },
    toWall: (steadyTs) => steadyTs + aheadMs,
  };
}

export function createSteadyClock(time: SteadyTime, clock: Clock = systemClock): Clock {
  return { now: () => time.toSteady(clock.now()), after: clock.after };
}
