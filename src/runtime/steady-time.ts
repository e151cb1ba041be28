// Time that goes on evenly whatever is done to the clock: for what is promised per hour and must not be had twice by
// setting the clock forward, nor be withheld by setting it back.

import { type Clock, systemClock } from './clock.ts';

/** Beyond this the clock was set, and did not merely run a little fast. */
const JUMP_MS = 2_000;

export interface SteadyTime {
  /** The clock's time as it would be had nobody set it since the start. */
  toSteady(wallTs: number): number;
  toWall(steadyTs: number): number;
}

/** `aheadMs`: how far the clock is ahead of steady time already, where another process has told what that is. */
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
