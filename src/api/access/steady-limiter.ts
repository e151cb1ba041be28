// Allowances by elapsed time: a clock that is set forward by an hour gives nobody a second one, and a clock that is set
// back holds nobody's for two. Callers are told times of the clock as it stands.

import type { LimitedCaller, Limiter } from './limiter.ts';

/** Beyond this the clock was set, and did not merely run a little fast. */
const JUMP_MS = 2_000;

export interface SteadyTime {
  /** The clock's time as it would be had nobody set it since the start. */
  toSteady(wallTs: number): number;
  toWall(steadyTs: number): number;
}

export function createSteadyTime(elapsedMs: () => number = () => performance.now()): SteadyTime {
  let aheadMs = 0;
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

export function createSteadyLimiter(inner: Limiter, time: SteadyTime = createSteadyTime()): Limiter {
  const steady = new WeakMap<LimitedCaller, LimitedCaller>();

  function wrap(caller: LimitedCaller): LimitedCaller {
    const known = steady.get(caller);
    if (known) return known;
    const wrapped = new SteadyCaller(caller, time);
    steady.set(caller, wrapped);
    return wrapped;
  }

  return {
    forKey(keyId, tier) {
      const caller = inner.forKey(keyId, tier);
      return caller && wrap(caller);
    },
    forAddress: (address, allowance, wallTs) =>
      wrap(inner.forAddress(address, allowance, time.toSteady(wallTs))),
    describe: inner.describe,
    close: inner.close,
  };
}

class SteadyCaller implements LimitedCaller {
  readonly policy;
  readonly #inner: LimitedCaller;
  readonly #time: SteadyTime;

  constructor(inner: LimitedCaller, time: SteadyTime) {
    this.policy = inner.policy;
    this.#inner = inner;
    this.#time = time;
  }

  take(wallTs: number): boolean | Promise<boolean> {
    return this.#inner.take(this.#time.toSteady(wallTs));
  }

  hasRoom(wallTs: number): boolean | Promise<boolean> {
    return this.#inner.hasRoom(this.#time.toSteady(wallTs));
  }

  get remaining(): number {
    return this.#inner.remaining;
  }

  get resetTs(): number {
    return this.#time.toWall(this.#inner.resetTs);
  }
}
