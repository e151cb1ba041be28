import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createManualClock } from './clock.ts';
import { createCourtesy, runWhenCalm } from './courtesy.ts';

/** Does a second of work in 10 ms pieces, with `requestsEach` requests per piece; returns the time taken. */
async function workUnderLoad(requestsEach: number, startedMs: number): Promise<number> {
  const clock = createManualClock(0);
  const traffic = { requests: 0 };
  const giveWay = createCourtesy({ traffic, clock });
  clock.advance(startedMs);
  await giveWay();
  const fromTs = clock.now();
  for (let i = 0; i < 100; i++) {
    clock.advance(10);
    traffic.requests += requestsEach;
    let isOver = false;
    const over = giveWay().then(() => {
      isOver = true;
    });
    for (let waited = 0; waited < 1_000; waited++) {
      await Promise.resolve();
      if (isOver) break;
      await clock.advanceAsync(1);
    }
    await over;
  }
  return clock.now() - fromTs;
}

describe('yielding background work', () => {
  it('uses all available time while there are no requests', async () => {
    assert.ok((await workUnderLoad(0, 60_000)) < 1_300);
  });

  it('leaves a third of the time while there are few requests', async () => {
    const tookMs = await workUnderLoad(1, 60_000);
    assert.ok(tookMs > 1_400 && tookMs < 1_900, `${tookMs}`);
  });

  it('uses a fraction of the time while there are many requests', async () => {
    const tookMs = await workUnderLoad(20, 60_000);
    assert.ok(tookMs > 4_500 && tookMs < 6_000, `${tookMs}`);
  });

  it('does not yield during startup', async () => {
    assert.ok((await workUnderLoad(20, 0)) < 1_300);
  });

  it('stops waiting when the signal aborts', async () => {
    const clock = createManualClock(0);
    const traffic = { requests: 0 };
    const stopping = new AbortController();
    const giveWay = createCourtesy({ traffic, clock, signal: stopping.signal });
    clock.advance(60_000);
    traffic.requests += 1_000_000;
    const waiting = giveWay();
    stopping.abort();
    await waiting;
  });
});

describe('blocking work', () => {
  function runUnderLoad(perSecond: (second: number) => number): number | null {
    const clock = createManualClock(0);
    const traffic = { requests: 0 };
    let ranTs: number | null = null;
    const cancel = runWhenCalm(5_000, () => void (ranTs = clock.now()), { traffic, clock, latestMs: 60_000 });
    for (let second = 0; second < 100; second++) {
      traffic.requests += perSecond(second);
      clock.advance(1_000);
    }
    cancel();
    return ranTs;
  }

  it('runs when due if there are few requests, otherwise in the first quiet second or at the deadline', () => {
    assert.equal(
      runUnderLoad(() => 3),
      5_000,
    );
    assert.equal(
      runUnderLoad((second) => (second < 20 ? 5_000 : 0)),
      21_000,
    );
    assert.equal(
      runUnderLoad(() => 5_000),
      65_000,
    );
  });
});
