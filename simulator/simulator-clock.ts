// The simulator's clock: runs at any speed from a given time; the speed may change while it runs.

import type { Clock } from '../src/runtime/clock.ts';
import { systemClock } from '../src/runtime/clock.ts';

export interface SimulatorClock extends Clock {
  readonly speed: number;
  setSpeed(speed: number): void;
}

interface Pending {
  dueTs: number;
  action: () => void;
  cancel: () => void;
}

export function createSimulatorClock(originTs: number, speed: number): SimulatorClock {
  let current = { originTs, baseTs: systemClock.now(), speed };
  const pending = new Set<Pending>();

  function now(): number {
    return Math.floor(current.originTs + (systemClock.now() - current.baseTs) * current.speed);
  }

  function arm(timer: Pending): void {
    timer.cancel = systemClock.after(Math.max(0, (timer.dueTs - now()) / current.speed), () => {
      pending.delete(timer);
      timer.action();
    });
  }

  return {
    now,
    get speed() {
      return current.speed;
    },
    after(delayMs, action) {
      const timer: Pending = { dueTs: now() + Math.max(0, delayMs), action, cancel: () => {} };
      pending.add(timer);
      arm(timer);
      return () => {
        timer.cancel();
        pending.delete(timer);
      };
    },
    setSpeed(next) {
      current = { originTs: now(), baseTs: systemClock.now(), speed: next };
      for (const timer of pending) {
        timer.cancel();
        arm(timer);
      }
    },
  };
}

/** The clock's speed if it reports one; otherwise 1. */
export function speedOf(clock: Clock): number {
  return 'speed' in clock && typeof clock.speed === 'number' ? clock.speed : 1;
}
