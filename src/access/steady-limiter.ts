// Counts allowances in elapsed time, so that setting the clock neither grants extra requests nor extends a
// lockout. Callers see wall-clock times.

import { createSteadyClock, type SteadyTime } from '../runtime/steady-time.ts';
import type { LimitedCaller, Limiter } from './limiter.ts';
import { createSharedLimiter, type SharedLimiterOptions } from './shared-limiter.ts';

export function createSteadyLimiter(inner: Limiter, time: SteadyTime): Limiter {
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

/** Shares one allowance among replicas or workers; the store uses elapsed times too. */
export function createSteadySharedLimiter(options: SharedLimiterOptions, time: SteadyTime): Limiter {
  const clock = createSteadyClock(time, options.clock);
  return createSteadyLimiter(createSharedLimiter({ ...options, clock }), time);
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
