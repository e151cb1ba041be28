// Recomputes the history of an event that was already open at the first start.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isRecomputed } from '../../src/domain/scored-horizons.ts';
import { HOUR_MS, MINUTE_MS } from '../../src/domain/units.ts';
import { createInlineRunner } from '../../src/jobs/forecasting/forecast-runner.ts';
import { createOpenEventBackfill } from '../../src/jobs/scoring/backfill-open-events.ts';
import { silentLogger } from '../../src/runtime/logger.ts';
import type { LogEntry } from '../../src/sealing/entry.ts';
import { type Bench, FORECAST_ACCOUNTS, identity, keepBenches, publisherOf } from './jobs-fixture.ts';

function openBackfillOf(bench: Bench, createRunner: typeof createInlineRunner) {
  return createOpenEventBackfill({
    ...{ ...bench, accounts: FORECAST_ACCOUNTS, createRunner, identity },
    ...{ isReady: () => true, logger: silentLogger },
  });
}

describe('the history of an event that was already open at the first start', () => {
  const { running } = keepBenches();

  it('starts with the window, is recomputed once from stored posts, and is marked as recomputed', async () => {
    const { bench, event } = await running(30, 2);
    await publisherOf(bench).runOnce();
    const backfill = openBackfillOf(bench, createInlineRunner);
    await backfill.runOnce();
    const { startTs, endTs } = event.window;
    const range = { fromTs: 0, untilTs: endTs, limit: 1_000, isHourly: false };
    const points = await bench.store.forecasts.listPoints(1, range);
    const recomputed = points.filter(isRecomputed);
    assert.equal(recomputed.length, 6, 'one point per three of the 18 past hours');
    assert.equal(recomputed[0]!.asofTs, startTs);
    assert.ok(recomputed.every(({ marketPrices }) => marketPrices.every((price) => price === null)));
    for (const { asofTs, countSoFar } of points) {
      assert.equal(countSoFar, await bench.store.posts.countCounted('a', startTs, asofTs + 1));
    }
    assert.equal(points.length, recomputed.length + 1);
    const { entries } = await bench.store.seals.readOpen();
    const made = entries.map(({ entry }) => (JSON.parse(entry) as LogEntry).made);
    assert.deepEqual(made, ['forward', ...recomputed.map(() => 'recomputed')]);
    bench.clock.advance(2 * HOUR_MS);
    await backfill.runOnce();
    assert.deepEqual(await bench.store.forecasts.listPoints(1, range), points);
  });

  it('is scored with the event if it settled meanwhile', async () => {
    const { bench, event } = await running(30, 2);
    const { store } = bench;
    const settlement = {
      ...{ eventId: event.eventId, accountId: 'a', endTs: event.window.endTs, finalCount: 131 },
      ...{ winningLabel: null, source: 'oracle' as const, settledTs: bench.clock.now() },
    };
    const backfill = openBackfillOf(bench, () => {
      const runner = createInlineRunner();
      const walkOn = async () => {
        await store.settlements.record(settlement);
        return runner.walkOn();
      };
      return { ...runner, walkOn };
    });
    await backfill.runOnce();
    const scores = await store.scores.list({});
    assert.ok(scores.length > 0);
    assert.deepEqual(new Set(scores.map(({ eventId }) => eventId)), new Set([event.eventId]));
  });

  it('contains no forecast recorded before the backfill was complete', async () => {
    const { bench } = await running(48);
    let isIn = false;
    const publisher = publisherOf(bench, undefined, () => isIn);
    await publisher.runOnce();
    assert.equal(await bench.store.forecasts.standingAt(1, bench.clock.now()), undefined);
    assert.deepEqual((await bench.store.seals.readOpen()).entries, []);
    isIn = true;
    bench.clock.advance(MINUTE_MS);
    await publisher.runOnce();
    assert.equal((await bench.store.seals.readOpen()).entries.length, 1);
  });
});
