// The jobs on a real store: forecast publishing and the track record.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { profileOfLetter } from '../../src/domain/account-profile.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/domain/units.ts';
import { createInlineRunner, createWorkerRunner } from '../../src/jobs/forecasting/forecast-runner.ts';
import { annotateBuild, createJobs } from '../../src/jobs/jobs.ts';
import { createPruneJob, DEFAULT_RETENTION } from '../../src/jobs/prune.ts';
import { createManualClock } from '../../src/runtime/clock.ts';
import { silentLogger } from '../../src/runtime/logger.ts';
import { createAdvisers } from '../../src/trade/advice/adviser.ts';
import { sampleForecast } from '../store/samples.ts';
import { first } from '../support/first.ts';
import {
  type Bench,
  eventOf,
  identity,
  keepBenches,
  ORIGIN_TS,
  postOf,
  publisherOf,
  quoteOf,
} from './jobs-fixture.ts';

const { empty, running } = keepBenches();

describe('the forecast publisher', () => {
  it('publishes at startup, on changes and every minute, and not otherwise', async () => {
    const { bench } = await running(50);
    const publisher = publisherOf(bench);
    await publisher.runOnce();
    assert.equal(bench.publications.length, 1);
    const forecast = first(bench.publications[0]!.forecasts);
    assert.ok(Math.abs(forecast.bucketProbabilities.reduce((sum, p) => sum + p, 0) - 1) < 1e-9);
    assert.ok(forecast.p5 <= forecast.p50 && forecast.p50 <= forecast.p95);
    assert.equal(forecast.countSoFar, bench.snapshot().events[0]!.counters.real);
    bench.clock.advance(5_000);
    await publisher.runOnce();
    assert.equal(bench.publications.length, 1, 'nothing changed');
    await bench.capture([postOf(bench.clock.now() - 1_000)]);
    await publisher.runOnce();
    assert.equal(bench.publications.length, 2, 'after a post');
    assert.equal(bench.publications[1]!.forecasts[0]!.countSoFar, forecast.countSoFar + 1);
    await bench.readOracle(1, 100);
    await publisher.runOnce();
    assert.equal(bench.publications.length, 3, 'after an oracle count');
    bench.clock.advance(MINUTE_MS);
    await publisher.runOnce();
    assert.equal(bench.publications.length, 4, 'after a minute');
  });

  it('loads many new posts from the store instead of the snapshot', async () => {
    const { bench } = await running(50);
    const publisher = publisherOf(bench);
    await publisher.runOnce();
    await bench.capture(Array.from({ length: 150 }, (_, i) => postOf(ORIGIN_TS - 1_000 - 7 * i)));
    bench.clock.advance(MINUTE_MS);
    await publisher.runOnce();
    const fresh = publisherOf(bench);
    await fresh.runOnce();
    const [, second, third] = bench.publications;
    const said = (publication: typeof second) =>
      publication?.forecasts.map(({ p5, p50, p95, bucketProbabilities }) => [
        p5,
        p50,
        p95,
        ...bucketProbabilities,
      ]);
    assert.ok(second);
    assert.deepEqual(said(second), said(third));
  });

  it('stores a forecast every five minutes, and one with baselines at each scored horizon', async () => {
    const { bench, event } = await running(48 + 5 / 60);
    const publisher = publisherOf(bench);
    for (let minute = 0; minute <= 6; minute++) {
      await publisher.runOnce();
      bench.clock.advance(MINUTE_MS);
    }
    const horizonTs = event.window.endTs - 48 * HOUR_MS;
    const standing = await bench.store.forecasts.standingAt(1, horizonTs);
    assert.equal(standing?.asofTs, horizonTs);
    assert.ok(standing?.baselines?.['pace-nb']);
    assert.equal(standing?.marketPrices[0], 0.08);
    assert.equal((await bench.store.forecasts.standingAt(1, horizonTs - 2 * MINUTE_MS))?.asofTs, ORIGIN_TS);
  });

  it("simulates several events' final counts on common paths", async () => {
    const { bench } = await running(50);
    await bench.listEvent(eventOf(2, ORIGIN_TS - 3 * DAY_MS, 7));
    await publisherOf(bench).runOnce();
    const joint = bench.publications[0]!.jointFinals;
    assert.deepEqual(joint?.eventIds, [1, 2]);
    assert.deepEqual(
      joint?.finals.map((paths) => paths.length),
      [512, 512],
    );
    const counts = bench.snapshot().events.map((state) => state.counters.real!);
    joint?.finals.forEach((paths, e) => {
      assert.ok(paths.every((final) => Number.isInteger(final) && final >= counts[e]!));
    });
  });

  it('computes the same forecasts in a worker thread', async () => {
    const { bench } = await running(50);
    const worker = createWorkerRunner();
    try {
      await publisherOf(bench, worker).runOnce();
    } finally {
      await worker.close();
    }
    await publisherOf(bench).runOnce();
    assert.equal(bench.publications.length, 2);
    assert.deepEqual(bench.publications[0], bench.publications[1]);
  });

  it('recovers when the forecaster has lost its state', async () => {
    const { bench } = await running(50);
    const runner = createInlineRunner();
    let isBroken = false;
    const frail: typeof runner = {
      ...runner,
      forecast: (...args) => (isBroken ? Promise.reject(new Error('gone')) : runner.forecast(...args)),
    };
    const publisher = publisherOf(bench, frail);
    isBroken = true;
    await publisher.runOnce();
    assert.equal(bench.publications.length, 0);
    isBroken = false;
    await publisher.runOnce();
    assert.equal(bench.publications.length, 1);
  });
});

describe('a walk over past forecasts', () => {
  it('cannot go on in a forecaster that lost its state', async () => {
    await assert.rejects(createInlineRunner().walkOn(), /walk not started/);
  });
});

function pruneOf(bench: Bench, change: Partial<Parameters<typeof createPruneJob>[0]>) {
  return createPruneJob({ ...bench, retention: DEFAULT_RETENTION, logger: silentLogger, ...change });
}

describe('the jobs', () => {
  it('annotate a new build once', async () => {
    const bench = await empty();
    assert.equal(await annotateBuild(bench.store, identity, bench.clock), true);
    assert.equal(await annotateBuild(bench.store, identity, bench.clock), false);
    assert.equal(await annotateBuild(bench.store, { ...identity, buildCommit: 'def' }, bench.clock), true);
    const annotations = await bench.store.annotations.list(0);
    assert.deepEqual(annotations.map(({ label }) => label).sort(), ['build def', 'model 1.0.0']);
  });

  it('prune one table even if another fails', async () => {
    const bench = await empty();
    const broken = { ...bench.store.quotes, dropMonths: () => Promise.reject(new Error('locked')) };
    let pruned = 0;
    const usage = { ...bench.store.usage, prune: async () => pruned++ };
    const store = { ...bench.store, quotes: broken, usage };
    await pruneOf(bench, { store }).runOnce();
    assert.equal(pruned, 1);
  });

  it("prune callers' rows by the wall clock, and observations by the simulator's clock", async () => {
    const bench = await empty();
    const before: Record<string, number> = {};
    const noting = (name: string) => ({ prune: async (ts: number) => (before[name] = ts) });
    const names = ['usage', 'webhooks', 'allowances'];
    const noted = Object.fromEntries(names.map((name) => [name, noting(name)]));
    const { forecasts, cursors } = bench.store;
    const quotes = { ...bench.store.quotes, dropMonths: async (ts: number) => (before.quotes = ts) };
    const store = { ...noted, forecasts, cursors, quotes } as unknown as Bench['store'];
    const wallClock = createManualClock(1_000 * DAY_MS);
    const clock = createManualClock(5_000 * DAY_MS);
    const retention = { ...DEFAULT_RETENTION, quotesDays: 40, usageDays: 90, webhookDeliveriesDays: 10 };
    await pruneOf(bench, { store, retention, clock, wallClock }).runOnce();
    assert.deepEqual(before, {
      quotes: 4_960 * DAY_MS,
      usage: 910 * DAY_MS,
      webhooks: 990 * DAY_MS,
      allowances: 999 * DAY_MS,
    });
  });

  it('thin old forecasts once, hour by hour, and resume where they left off', async () => {
    const bench = await empty();
    const { store } = bench;
    const asofTimes = (fromTs: number) => [0, 5, 10].map((minute) => fromTs + minute * MINUTE_MS);
    const oldTs = ORIGIN_TS - 100 * DAY_MS;
    await store.forecasts.record(
      [oldTs, oldTs + 5 * DAY_MS, ORIGIN_TS - 20 * DAY_MS, ORIGIN_TS - DAY_MS]
        .flatMap(asofTimes)
        .map((asofTs) => sampleForecast({ asofTs })),
    );
    const hours: string[] = [];
    const noting = (name: 'dropDistributions' | 'thin') => async (fromTs: number, untilTs: number) => {
      hours.push(name);
      assert.equal(untilTs - fromTs, HOUR_MS);
      return store.forecasts[name](fromTs, untilTs);
    };
    const forecasts = {
      ...store.forecasts,
      dropDistributions: noting('dropDistributions'),
      thin: noting('thin'),
    };
    const job = pruneOf(bench, { store: { ...store, forecasts } });
    await job.runOnce();
    assert.deepEqual(hours, ['dropDistributions', 'dropDistributions', 'dropDistributions', 'thin', 'thin']);
    await job.runOnce();
    assert.equal(hours.length, 5);
  });

  it('thin and delete quotes token by token, and only where there is something to forget', async () => {
    const bench = await empty();
    const { store } = bench;
    const minutes = (fromTs: number) => [5, 20, 50, 70].map((minute) => fromTs + minute * MINUTE_MS);
    const [goneTs, oldTs, newTs] = [50, 10, 1].map((days) => ORIGIN_TS - days * DAY_MS) as [
      number,
      number,
      number,
    ];
    const record = (tokenId: string, times: readonly number[]) =>
      store.quotes.record(times.map((ts, i) => quoteOf(tokenId, 0.1 + i / 100, 0.2 + i / 100, ts)));
    for (const tokenId of ['one', 'two', 'three'])
      await record(tokenId, [goneTs, oldTs, newTs].flatMap(minutes));
    await record('nothing to forget', minutes(newTs));
    const shortened: string[] = [];
    const quotes: typeof store.quotes = {
      ...store.quotes,
      shorten: (tokenId, stretch) => {
        shortened.push(tokenId);
        return store.quotes.shorten(tokenId, stretch);
      },
    };
    const job = pruneOf(bench, { store: { ...store, quotes } });
    await job.runOnce();
    assert.deepEqual(shortened, ['one', 'three', 'two']);
    await job.runOnce();
    assert.equal(shortened.length, 3, 'there are no new quotes to thin');
  });

  it('start and stop together', async () => {
    const { bench } = await running(30);
    const jobs = createJobs({
      ...bench,
      note: bench.give,
      adviserOf: createAdvisers(),
      accounts: [profileOfLetter('a')],
      logger: silentLogger,
      buildCommit: 'abc',
      createRunner: createInlineRunner,
    });
    jobs.start();
    jobs.noteHistoryComplete('a');
    while (bench.publications.length === 0) await bench.clock.advanceAsync(1_000);
    await jobs.stop();
    assert.ok(bench.snapshot().events[0]!.forecast);
  });
});
