// Several replicas share one allowance, on the embedded store with a manual clock.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { DEFAULT_LIMITS, type LimitedCaller } from '../../src/access/limiter.ts';
import { createSharedLimiter } from '../../src/access/shared-limiter.ts';
import { createManualClock } from '../../src/runtime/clock.ts';
import { silentLogger } from '../../src/runtime/logger.ts';
import type { AllowanceStore, Store } from '../../src/store/ports.ts';
import { waitUntil } from '../support/boot.ts';
import { openTempStore } from '../support/temp-store.ts';

const START = Date.UTC(2026, 5, 1);
const HOUR_MS = 3_600_000;

describe('the shared limiter', () => {
  const clock = createManualClock(START);
  let store: Store;

  before(async () => {
    ({ store } = await openTempStore(clock));
  });
  after(() => store.close());

  function replicas(count: number, allowances: AllowanceStore = store.allowances) {
    const options = { settings: DEFAULT_LIMITS, allowances, replicas: count, clock, logger: silentLogger };
    return Array.from({ length: count }, () => createSharedLimiter(options));
  }

  async function send(callers: readonly LimitedCaller[], requests: number): Promise<number> {
    let granted = 0;
    for (let i = 0; i < requests; i++) {
      if (await callers[i % callers.length]!.take()) granted += 1;
    }
    return granted;
  }

  it('allows an anonymous caller exactly 100 requests across three replicas', async () => {
    const callers = replicas(3).map((limiter) => limiter.forAddress('192.0.2.1', 'other'));
    assert.equal(await send(callers, 150), 100);
  });

  it('notices that another replica used up an allowance, even if it used none itself', async () => {
    const [one, two] = replicas(2).map((limiter) => limiter.forAddress('192.0.2.9', 'waitlist'));
    for (let i = 0; i < 20; i++) assert.equal(await two!.hasRoom(), true);
    assert.equal(await send([one!], 12), 10);
    assert.equal(await two!.hasRoom(), false);
    assert.deepEqual([two!.remaining, two!.resetInMs > 0], [0, true]);
  });

  it('allows exactly 100 requests when all arrive at once', async () => {
    const callers = replicas(3).map((limiter) => limiter.forAddress('192.0.2.2', 'other'));
    const verdicts = await Promise.all(Array.from({ length: 160 }, (_, i) => callers[i % 3]!.take()));
    assert.equal(verdicts.filter(Boolean).length, 100);
  });

  it('limits a PRO key at most one percent early and never late', async () => {
    const limiters = replicas(3);
    const callers = limiters.map((limiter) => limiter.forKey('key-1', 'PRO')!);
    const granted = await send(callers, 10_200);
    assert.ok(granted <= 10_000 && granted >= 9_900, `granted ${granted}`);
    await Promise.all(limiters.map((limiter) => limiter.close()));
  });

  it('never exceeds the limit in any rolling hour', async () => {
    const callers = replicas(2).map((limiter) => limiter.forKey('key-2', 'FREE')!);
    const grantedTs: number[] = [];
    for (let i = 0; i < 400; i++) {
      clock.advance(40_000);
      if (await callers[i % 2]!.take()) grantedTs.push(clock.now());
    }
    const busiest = Math.max(
      ...grantedTs.map((ts) => grantedTs.filter((other) => other >= ts && other < ts + HOUR_MS).length),
    );
    assert.ok(busiest <= 100 && busiest >= 89, `busiest hour: ${busiest}`);
  });

  it('returns unused requests after a burst', async () => {
    const [limiter] = replicas(1);
    const caller = limiter!.forKey('key-3', 'PRO')!;
    await send([caller], 40);
    clock.advance(2_000);
    await limiter!.close();
    const after = await store.allowances.take('key:key-3', 0, 10_000, {
      windowMs: HOUR_MS,
      slotMs: 5_000,
      nowTs: clock.now(),
    });
    assert.equal(after.used, 40);
  });

  it('waits 300 ms once for a hanging store, and not again until a background check succeeds', async () => {
    let isHanging = true;
    let asked = 0;
    const hung = Promise.withResolvers<void>();
    const allowances: AllowanceStore = {
      ...store.allowances,
      async take(...args) {
        asked += 1;
        if (isHanging) await hung.promise;
        return store.allowances.take(...args);
      },
    };
    const [limiter] = replicas(1, allowances);
    const address = (n: number) => limiter!.forAddress(`198.51.100.${n}`, 'other');
    const first = address(1).take();
    await clock.advanceAsync(300);
    assert.equal(await first, true);
    assert.equal(limiter!.describe().isFallback, true);
    for (let n = 2; n < 50; n++) assert.equal(await address(n).take(), true);
    assert.equal(asked, 1);
    await clock.advanceAsync(20_000);
    assert.equal(asked, 2, 'one background check');
    isHanging = false;
    hung.resolve();
    await waitUntil(() => !limiter!.describe().isFallback);
    assert.equal(await address(1).take(), true);
    assert.equal(asked, 3);
  });

  it('enforces its share on each replica while the store is down, and reports it', async () => {
    const away: AllowanceStore = {
      take: () => Promise.reject(new Error('unavailable')),
      giveBack: () => Promise.reject(new Error('unavailable')),
      prune: () => Promise.resolve(0),
    };
    const limiters = replicas(4, away);
    const granted = await send(
      limiters.map((limiter) => limiter.forAddress('192.0.2.9', 'meta')),
      200,
    );
    assert.equal(granted, 100);
    assert.equal(limiters[0]!.describe().isFallback, true);
  });

  /** Wraps the store so that it can be taken down. */
  function leaving() {
    let isAway = false;
    const unlessAway = <T>(ask: () => Promise<T>) =>
      isAway ? Promise.reject(new Error('unavailable')) : ask();
    const allowances: AllowanceStore = {
      take: (...args) => unlessAway(() => store.allowances.take(...args)),
      giveBack: (...args) => unlessAway(() => store.allowances.giveBack(...args)),
      prune: () => Promise.resolve(0),
    };
    return {
      allowances,
      setAway: (away: boolean) => {
        isAway = away;
      },
    };
  }

  it('splits only what was left when the store went down', async () => {
    const { allowances, setAway } = leaving();
    const callers = replicas(4, allowances).map((limiter) => limiter.forAddress('192.0.2.11', 'meta'));
    assert.equal(await send(callers, 60), 60);
    setAway(true);
    clock.advance(60_000);
    const granted = await send(callers, 200);
    assert.ok(granted <= 40 && granted >= 36, `granted ${granted}`);
    clock.advance(HOUR_MS);
    assert.equal(await send(callers, 200), 100);
  });

  it('charges the store afterwards for requests granted while it was down', async () => {
    const { allowances, setAway } = leaving();
    const callers = replicas(2, allowances).map((limiter) => limiter.forKey('key-9', 'FREE')!);
    setAway(true);
    assert.equal(await send(callers, 60), 60);
    setAway(false);
    clock.advance(2_000);
    assert.equal(await send(callers, 100), 40);
  });

  it('does not charge the store afterwards for requests granted more than an hour ago', async () => {
    const { allowances, setAway } = leaving();
    const callers = replicas(2, allowances).map((limiter) => limiter.forKey('key-11', 'FREE')!);
    setAway(true);
    for (let hour = 0; hour < 3; hour++) {
      assert.equal(await send(callers, 120), 100);
      clock.advance(HOUR_MS);
    }
    setAway(false);
    assert.equal(await send(callers, 120), 100);
  });

  it("never grants a PRO key more than an hour's allowance across an outage", async () => {
    const { allowances, setAway } = leaving();
    const callers = replicas(2, allowances).map((limiter) => limiter.forKey('key-10', 'PRO')!);
    let granted = 0;
    for (const isAway of [false, true, false, true]) {
      setAway(isAway);
      clock.advance(2_000);
      granted += await send(callers, 4_000);
    }
    assert.ok(granted <= 10_000 && granted >= 9_800, `granted ${granted}`);
  });

  describe('with all slots taken', () => {
    const PLACES = 20;
    const settings = { ...DEFAULT_LIMITS, freePerHour: 2, maxAddresses: PLACES };

    function openCrowd(network: string, allowances: AllowanceStore = store.allowances) {
      const limiter = createSharedLimiter({ settings, allowances, replicas: 1, clock, logger: silentLogger });
      const take = async (address: string) => limiter.forAddress(address, 'other').take();
      const known = Array.from({ length: PLACES }, (_, i) => `${network}.${i}`);
      return { limiter, take, known };
    }

    it('makes new callers share allowances, and forgets no caller that is over its limit', async () => {
      const { limiter, take, known } = openCrowd('198.51.100');
      for (const address of known)
        assert.deepEqual(
          [await take(address), await take(address), await take(address)],
          [true, true, false],
        );
      const granted = new Set<boolean>();
      for (let i = 0; i < 200; i++) granted.add(await take('203.0.113.1'));
      assert.deepEqual([...granted], [true, false]);
      assert.deepEqual(limiter.describe(), { callers: PLACES, overflowing: true, isFallback: false });
      for (const address of known) assert.equal(await take(address), false);
      clock.advance(HOUR_MS + 60_000);
      assert.equal(await take('203.0.113.2'), true);
      assert.equal(limiter.describe().overflowing, false);
      await limiter.close();
    });

    it('keeps slots for callers with unsettled requests for exactly an hour', async () => {
      const { allowances, setAway } = leaving();
      const { limiter, take, known } = openCrowd('192.0.3', allowances);
      setAway(true);
      for (const address of known) assert.equal(await take(address), true);
      await take('203.0.113.3');
      assert.equal(limiter.describe().overflowing, true);
      setAway(false);
      clock.advance(2_000);
      await waitUntil(async () => !limiter.describe().isFallback);
      assert.deepEqual([await take(known[0]!), await take(known[0]!)], [true, false]);
      clock.advance(HOUR_MS + 60_000);
      assert.equal(await take('203.0.113.4'), true);
      assert.equal(limiter.describe().overflowing, false);
      await limiter.close();
    });

    it('finds a slot for every key', async () => {
      const { limiter, take, known } = openCrowd('192.0.4');
      for (const address of known) for (let i = 0; i < 3; i++) await take(address);
      const key = limiter.forKey('key-20', 'FREE')!;
      assert.deepEqual([await key.take(), limiter.forKey('key-20', 'FREE') === key], [true, true]);
      await limiter.close();
    });
  });
});
