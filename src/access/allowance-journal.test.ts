import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { HOUR_MS } from '../domain/units.ts';
import { createManualClock, type ManualClock } from '../runtime/clock.ts';
import { type Logger, silentLogger } from '../runtime/logger.ts';
import { createRandom } from '../runtime/random.ts';
import { openAllowanceJournal } from './allowance-journal.ts';
import { LEASE_MS } from './allowance-lease.ts';
import type { LimitedCaller, Limiter } from './limiter.ts';
import { DEFAULT_LIMITS } from './limiter.ts';
import { createLocalLimiter } from './local-limiter.ts';

const START = Date.UTC(2026, 5, 1, 12, 10);
const MINUTE_MS = 60_000;

describe('allowance journal', () => {
  let folder: string;
  let clock: ManualClock;

  beforeEach(() => {
    folder = join(mkdtempSync(join(tmpdir(), 'tallycast-journal-')), 'allowances');
    clock = createManualClock(START);
  });
  afterEach(() => rmSync(join(folder, '..'), { recursive: true }));

  async function start(settings = DEFAULT_LIMITS, logger: Logger = silentLogger): Promise<Limiter> {
    return createLocalLimiter(settings, await openAllowanceJournal({ folder, clock, logger }));
  }

  function take(caller: LimitedCaller, requests: number): number {
    let granted = 0;
    for (let i = 0; i < requests; i++) if (caller.take(clock.now())) granted += 1;
    return granted;
  }

  const visitor = (limiter: Limiter) => limiter.forAddress('192.0.2.1', 'other', clock.now());

  it('restores usage exactly after a clean stop, at a limit of 100', async () => {
    const first = await start();
    assert.equal(take(visitor(first), 60), 60);
    await first.close();
    const again = visitor(await start());
    assert.equal(take(again, 60), 40);
    assert.equal(again.resetTs, START + LEASE_MS + HOUR_MS);
  });

  it('loses at most 4 of 100 requests, and never grants extra, after a kill', async () => {
    for (let used = 1; used <= 100; used++) {
      folder = `${folder}-`;
      assert.equal(take(visitor(await start()), used), used);
      const left = take(visitor(await start()), 100);
      assert.ok(left <= 100 - used && left >= Math.max(0, 96 - used), `${left} after ${used}`);
    }
  });

  it('loses nothing after a kill if the caller sends only occasional requests', async () => {
    const first = visitor(await start());
    for (let i = 0; i < 30; i++) {
      assert.ok(first.take(clock.now()));
      clock.advance(LEASE_MS + 1);
    }
    assert.equal(take(visitor(await start()), 100), 70);
  });

  it('never exceeds the hourly limit, even if the process is killed or stopped repeatedly', async () => {
    const random = createRandom(7);
    for (const [tier, limit] of [
      ['FREE', 100],
      ['PRO', 10_000],
    ] as const) {
      folder = `${folder}-${tier}`;
      const grantedTs: number[] = [];
      let limiter = await start();
      for (let burst = 0; burst < 120; burst++) {
        const caller = limiter.forKey('k', tier)!;
        for (let i = random.uniform() * (limit / 12); i > 0; i--) {
          if (caller.take(clock.now())) grantedTs.push(clock.now());
          clock.advance(Math.floor(random.uniform() * 40));
        }
        clock.advance(Math.floor(random.uniform() * 4 * MINUTE_MS));
        if (random.uniform() < 0.3) await limiter.close();
        if (random.uniform() < 0.7) limiter = await start();
      }
      for (let i = limit; i < grantedTs.length; i++) {
        assert.ok(
          grantedTs[i]! - grantedTs[i - limit]! >= HOUR_MS,
          `${tier}: request ${i} was granted too early`,
        );
      }
      assert.ok(grantedTs.length > 2 * limit, `${tier}: ${grantedTs.length} granted`);
    }
  });

  it('expires restored requests at most one lease late', async () => {
    const first = visitor(await start());
    for (let i = 0; i < 100; i++) {
      assert.ok(first.take(clock.now()));
      clock.advance(1_000);
    }
    const again = visitor(await start());
    assert.equal(take(again, 1), 0);
    clock.advance(START + HOUR_MS - clock.now() - 1);
    assert.equal(take(again, 1), 0);
    clock.advance(1 + LEASE_MS);
    const granted = take(again, 50);
    assert.ok(granted >= 1 && granted <= 11, `${granted} granted`);
  });

  it('stores a separate allowance per key, address and kind', async () => {
    const first = await start();
    take(first.forKey('k1', 'FREE')!, 100);
    take(first.forAddress('192.0.2.1', 'meta', START), 100);
    take(first.forAddress('192.0.2.1', 'waitlist', START), 10);
    await first.close();
    const again = await start();
    assert.equal(take(again.forKey('k1', 'FREE')!, 1), 0);
    assert.equal(take(again.forKey('k2', 'FREE')!, 1), 1);
    assert.equal(take(again.forAddress('192.0.2.1', 'meta', START), 1), 0);
    assert.equal(take(again.forAddress('192.0.2.1', 'waitlist', START), 1), 0);
    assert.equal(take(again.forAddress('192.0.2.1', 'other', START), 1), 1);
    assert.equal(take(again.forAddress('192.0.2.2', 'meta', START), 1), 1);
    await again.close();
  });

  it('never exceeds a limit of 10,000 and grants at least 99% of it, over many restarts', async () => {
    const grantedTs: number[] = [];
    let limiter = await start();
    for (let minute = 0; minute < 150; minute++) {
      const caller = limiter.forKey('k', 'PRO')!;
      for (let i = 0; i < 200; i++) {
        if (caller.take(clock.now())) grantedTs.push(clock.now());
        clock.advance(300);
      }
      if (minute % 7 === 0) {
        await limiter.close();
        limiter = await start();
      }
    }
    for (let i = 10_000; i < grantedTs.length; i++) {
      assert.ok(grantedTs[i]! - grantedTs[i - 10_000]! >= HOUR_MS);
    }
    const secondHour = grantedTs.filter((ts) => ts >= START + HOUR_MS && ts < START + 2 * HOUR_MS);
    assert.ok(secondHour.length >= 9_900, `${secondHour.length} in the second hour`);
  });

  it('writes nothing to disk for a refusal', async () => {
    const limiter = await start();
    take(visitor(limiter), 100);
    const sizes = () => readdirSync(folder).length;
    const before = sizes();
    rmSync(folder, { recursive: true });
    assert.equal(take(visitor(limiter), 50), 0);
    await limiter.close();
    assert.equal(before, 1);
  });

  it('deletes files older than an hour', async () => {
    const limiter = await start();
    for (let i = 0; i < 20; i++) {
      take(visitor(limiter), 1);
      clock.advance(17 * MINUTE_MS);
    }
    assert.ok(readdirSync(folder).length <= 4, readdirSync(folder).join());
    clock.advance(3 * HOUR_MS);
    await start();
    assert.deepEqual(readdirSync(folder), []);
  });

  it('ignores a torn line', async () => {
    const first = await start();
    take(visitor(first), 10);
    await first.close();
    appendFileSync(join(folder, readdirSync(folder)[0]!), `${START + HOUR_MS} 1 oth`);
    const second = await start();
    take(visitor(second), 10);
    await second.close();
    assert.equal(take(visitor(await start()), 100), 80);
  });

  it('does not lock callers out after the clock ran far ahead', async () => {
    clock.step(300 * HOUR_MS);
    take(visitor(await start()), 100);
    clock.step(-300 * HOUR_MS);
    assert.equal(take(visitor(await start()), 100), 100);
  });

  it('continues in memory when the disk is full and logs the failure once', async () => {
    writeFileSync(folder, 'a file where the folder should be');
    const warnings: unknown[] = [];
    const logger: Logger = { ...silentLogger, warn: (_, text) => void warnings.push(text) };
    const limiter = await start(DEFAULT_LIMITS, logger);
    for (let i = 0; i < 3; i++) {
      assert.equal(take(visitor(limiter), 30), 30);
    }
    assert.equal(take(visitor(limiter), 30), 10);
    assert.equal(warnings.length, 2);
  });

  it('counts only the latest requests after the limit is lowered', async () => {
    const first = await start();
    take(visitor(first), 60);
    await first.close();
    const lowered = visitor(await start({ ...DEFAULT_LIMITS, freePerHour: 50 }));
    assert.equal(take(lowered, 1), 0);
    clock.advance(HOUR_MS + LEASE_MS);
    assert.equal(take(lowered, 60), 50);
  });
});
