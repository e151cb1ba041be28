import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { HOUR_MS } from '../domain/units.ts';
import { createManualClock, steadyClock } from '../runtime/clock.ts';
import { createLimiter, DEFAULT_LIMITS, rateLines } from './limiter.ts';

const START = Date.UTC(2026, 5, 1);

/** One caller with this limit, on a clock that starts at `startTs`. */
function openCaller(limit: number, startTs = START) {
  const clock = createManualClock(startTs);
  const limiter = createLimiter({ ...DEFAULT_LIMITS, freePerHour: limit }, clock);
  const caller = limiter.forKey('k', 'FREE')!;
  const takeAt = (ts: number) => {
    clock.step(ts - clock.now());
    return caller.take();
  };
  return { caller, takeAt };
}

describe('a rolling hour', () => {
  /** Gaps between requests in milliseconds: bursts, steady traffic and long pauses. */
  const gaps = fc.array(
    fc.oneof(
      fc.constant(0),
      fc.integer({ min: 1, max: 60_000 }),
      fc.integer({ min: HOUR_MS - 10_000, max: HOUR_MS + 10_000 }),
    ),
    { minLength: 1, maxLength: 400 },
  );

  for (const limit of [5, 100, 2_000]) {
    it(`never has more than ${limit} granted requests, wherever it starts`, () => {
      fc.assert(
        fc.property(gaps, fc.integer({ min: 0, max: HOUR_MS }), (steps, offset) => {
          const { takeAt } = openCaller(limit);
          const granted: number[] = [];
          let ts = START + offset;
          for (const gap of steps) {
            ts += gap;
            const burst = limit > 1000 ? 60 : 3;
            for (let i = 0; i < burst; i++) if (takeAt(ts)) granted.push(ts);
          }
          for (let i = limit; i < granted.length; i++) {
            assert.ok(granted[i]! - granted[i - limit]! >= HOUR_MS);
          }
        }),
        { numRuns: 60, seed: 7 },
      );
    });
  }

  it('is exact at a limit of 100: a slot frees up exactly one hour after the first request', () => {
    const { caller, takeAt } = openCaller(100);
    for (let i = 0; i < 100; i++) assert.ok(takeAt(START + i * 1000));
    assert.ok(!takeAt(START + HOUR_MS - 1));
    assert.deepEqual([caller.remaining, caller.resetInMs], [0, 1]);
    assert.ok(takeAt(START + HOUR_MS));
    assert.ok(!takeAt(START + HOUR_MS + 999));
    assert.ok(takeAt(START + HOUR_MS + 1000));
  });

  it('refuses at most 1% of requests from a steady caller at a limit of 10,000', () => {
    const { takeAt } = openCaller(10_000);
    const periodMs = HOUR_MS / 10_000;
    let refused = 0;
    for (let i = 0; i < 40_000; i++) if (!takeAt(START + Math.ceil(i * periodMs))) refused += 1;
    assert.ok(refused <= 400, `${refused} refused`);
  });

  it('is shown in the headers by the wall clock', () => {
    const { caller, takeAt } = openCaller(100);
    takeAt(START);
    takeAt(START + 500);
    assert.equal(
      rateLines(caller, 1_000),
      'X-RateLimit-Limit: 100\r\nRateLimit-Policy: "free";q=100;w=3600\r\nRateLimit: "free";r=98;t=3600\r\n' +
        'X-RateLimit-Remaining: 98\r\nX-RateLimit-Reset: 3601\r\n',
    );
  });
});

describe('a clock that is set', () => {
  for (const nudgeMs of [1_900, -1_900, HOUR_MS]) {
    it(`grants no extra requests and refuses none when moved by ${nudgeMs} ms again and again`, (t) => {
      t.mock.timers.enable({ apis: ['Date'], now: START });
      const caller = createLimiter(DEFAULT_LIMITS, steadyClock).forAddress('192.0.2.1', 'other');
      let granted = 0;
      for (let i = 0; i < 4_000; i++) {
        t.mock.timers.setTime(Math.max(0, Date.now() + nudgeMs));
        if (caller.take()) granted += 1;
      }
      assert.equal(granted, 100);
    });
  }
});

describe('a limiter', () => {
  const settings = { freePerHour: 2, proPerHour: 2_000, waitlistPerHour: 1, maxAddresses: 3 };

  it('makes new callers share an allowance instead of evicting known callers', () => {
    const clock = createManualClock(START);
    const limiter = createLimiter(settings, clock);
    const take = (address: string) => limiter.forAddress(address, 'other').take();
    for (const address of ['a', 'b', 'c']) assert.ok(take(address) && take(address));
    assert.ok(take('d') && take('e') && !take('f'));
    assert.equal(limiter.countCallers(), 4);
    for (const address of ['a', 'b', 'c']) assert.ok(!take(address));
    clock.advance(HOUR_MS + 60_000);
    assert.ok(take('d') && take('d') && take('f'));
  });

  it('has no limit for INTERNAL', () => {
    assert.equal(createLimiter(settings, steadyClock).forKey('k', 'INTERNAL'), null);
  });
});
