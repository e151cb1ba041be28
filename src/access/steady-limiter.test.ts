import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { HOUR_MS } from '../domain/units.ts';
import { createSteadyTime } from '../runtime/steady-time.ts';
import { DEFAULT_LIMITS } from './limiter.ts';
import { createLocalLimiter } from './local-limiter.ts';
import { createSteadyLimiter } from './steady-limiter.ts';

const START = Date.UTC(2026, 5, 1);

function createBench() {
  let elapsedMs = 0;
  let aheadMs = 0;
  const limiter = createSteadyLimiter(
    createLocalLimiter(DEFAULT_LIMITS),
    createSteadyTime(() => elapsedMs),
  );
  const now = () => START + elapsedMs + aheadMs;
  return {
    limiter,
    now,
    pass: (ms: number) => void (elapsedMs += ms),
    setClock: (byMs: number) => void (aheadMs += byMs),
    take(requests: number): number {
      const caller = limiter.forAddress('192.0.2.1', 'other', now());
      return Array.from({ length: requests }, () => caller.take(now())).filter(Boolean).length;
    },
  };
}

describe('limiter with an adjusted clock', () => {
  it('grants no extra allowance when the clock jumps forward', () => {
    const { take, pass, setClock } = createBench();
    assert.equal(take(100), 100);
    setClock(HOUR_MS + 1);
    assert.equal(take(10), 0);
    pass(HOUR_MS);
    assert.equal(take(10), 10);
  });

  it('does not lock callers out when the clock jumps back', () => {
    const { take, pass, setClock } = createBench();
    assert.equal(take(100), 100);
    setClock(-HOUR_MS);
    assert.equal(take(1), 0);
    pass(HOUR_MS);
    assert.equal(take(10), 10);
  });

  it('reports retry times on the adjusted clock', () => {
    const { limiter, take, setClock, now } = createBench();
    take(100);
    setClock(5 * HOUR_MS);
    take(1);
    assert.equal(limiter.forAddress('192.0.2.1', 'other', now()).resetTs, now() + HOUR_MS);
  });

  it('follows a clock that runs slightly fast', () => {
    const { take, pass, setClock } = createBench();
    take(100);
    for (let i = 0; i < 3_600; i++) {
      pass(1_000);
      setClock(1);
      take(0);
    }
    assert.equal(take(1), 1);
  });
});
