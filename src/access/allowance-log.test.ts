import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { HOUR_MS, MINUTE_MS } from '../domain/units.ts';
import { createManualClock, type ManualClock } from '../runtime/clock.ts';
import { type Logger, silentLogger } from '../runtime/logger.ts';
import { createRandom } from '../runtime/random.ts';
import { openAllowanceLog } from './allowance-log.ts';
import { DEFAULT_LIMITS, type LimitedCaller, type Limiter } from './limiter.ts';
import { createLocalLimiter } from './local-limiter.ts';

const START = Date.UTC(2026, 5, 1, 12, 10);
/** Requests are written within this time. */
const WRITTEN_MS = 50;

describe('allowance log', () => {
  let folder: string;
  let clock: ManualClock;

  beforeEach(() => {
    folder = join(mkdtempSync(join(tmpdir(), 'tallycast-log-')), 'allowances');
    clock = createManualClock(START);
  });
  afterEach(() => rmSync(join(folder, '..'), { recursive: true }));

  async function start(settings = DEFAULT_LIMITS, logger: Logger = silentLogger): Promise<Limiter> {
    return createLocalLimiter(settings, clock, await openAllowanceLog({ folder, clock, logger }));
  }

  function take(caller: LimitedCaller, requests: number): number {
    let granted = 0;
    for (let i = 0; i < requests; i++) if (caller.take()) granted += 1;
    return granted;
  }

  const visitor = (limiter: Limiter) => limiter.forAddress('192.0.2.1', 'other');

  it('restores usage exactly after a clean stop', async () => {
    const first = await start();
    assert.equal(take(visitor(first), 60), 60);
    await first.close();
    const again = visitor(await start());
    assert.equal(take(again, 60), 40);
    assert.equal(again.resetInMs, HOUR_MS);
  });

  it('restores usage after a kill, except for the last 50 ms', async () => {
    const first = await start();
    take(visitor(first), 60);
    clock.advance(WRITTEN_MS);
    take(visitor(first), 10);
    assert.equal(take(visitor(await start()), 100), 40);
  });

  it('keeps every rolling hour within the limit over many restarts, and uses at least 99% of it', async () => {
    const random = createRandom(7);
    for (const [tier, limit] of [
      ['FREE', 100],
      ['PRO', 10_000],
    ] as const) {
      folder = `${folder}-${tier}`;
      const startTs = clock.now();
      const grantedTs: number[] = [];
      let limiter = await start();
      while (clock.now() < startTs + 2 * HOUR_MS) {
        for (let i = 0; i < limit / 40; i++) {
          if (limiter.forKey('k', tier)!.take()) grantedTs.push(clock.now());
          clock.advance(WRITTEN_MS);
        }
        clock.advance(random.uniform() * MINUTE_MS);
        if (random.uniform() < 0.5) await limiter.close();
        limiter = await start();
      }
      for (let i = limit; i < grantedTs.length; i++)
        assert.ok(grantedTs[i]! - grantedTs[i - limit]! >= HOUR_MS);
      const inFirstHour = grantedTs.filter((ts) => ts < startTs + HOUR_MS).length;
      assert.ok(inFirstHour >= 0.99 * limit, `${inFirstHour} of ${limit} in the first hour`);
    }
  });

  it('counts each caller separately', async () => {
    const first = await start();
    take(visitor(first), 100);
    await first.close();
    const again = await start();
    assert.equal(take(again.forAddress('192.0.2.1', 'meta'), 1), 1);
    assert.equal(take(again.forAddress('192.0.2.2', 'other'), 1), 1);
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
    const ahead = await start();
    take(visitor(ahead), 100);
    await ahead.close();
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
      clock.advance(WRITTEN_MS);
    }
    assert.equal(take(visitor(limiter), 30), 10);
    assert.equal(warnings.length, 2);
  });
});
