// Replays a settled week from the store alone: recomputes advice and its results at every horizon from stored
// inputs, after prices were thinned and the market closed, and compares it with the history.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { recheck } from '../../lab/commands/recheck.ts';
import { profileOfLetter } from '../../src/domain/account-profile.ts';
import { isActiveAt } from '../../src/domain/market-event.ts';
import { SCORED_HORIZONS_H } from '../../src/domain/scored-horizons.ts';
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../src/domain/units.ts';
import { bucketProbabilities } from '../../src/forecast/distribution/distribution.ts';
import { createPruneJob, DEFAULT_RETENTION } from '../../src/jobs/prune.ts';
import { createSignalRecorder } from '../../src/jobs/settling/record-signals.ts';
import { findDifferences, replaySignals } from '../../src/jobs/settling/replay-signals.ts';
import type { Grounds } from '../../src/jobs/settling/signal-grounds.ts';
import { BUY_NO } from '../../src/jobs/settling/signal-record.ts';
import { silentLogger } from '../../src/runtime/logger.ts';
import { createRandom } from '../../src/runtime/random.ts';
import { LedgerEntry } from '../../src/server/endpoints/ledger.ts';
import type { Store } from '../../src/store/ports.ts';
import { type Harness, startHarness } from '../api/harness.ts';
import { ENGINE_NAMES } from '../store/engines.ts';
import { createDatabase } from '../support/postgres.ts';
import {
  type Bench,
  createBench,
  eventOf,
  HISTORY_DAYS,
  ORIGIN_TS,
  pretendPosts,
  publisherOf,
  quoteOf,
  settlementOf,
} from './jobs-fixture.ts';

/** A week-long event that ends in 80 hours and an overlapping three-day event, which are sized together. */
const WEEK = eventOf(1, ORIGIN_TS + 80 * HOUR_MS - 7 * DAY_MS, 7);
const THREE_DAYS = eventOf(2, ORIGIN_TS - 2 * HOUR_MS, 3);

/** Market asks for Yes and No: the model's probability with errors of up to a half, plus one cent. */
function quoteEverything(bench: Bench, uniform: () => number) {
  const nowTs = bench.clock.now();
  const price = (value: number) => Math.round(Math.min(0.98, Math.max(0.02, value)) * 100) / 100;
  return bench
    .snapshot()
    .events.filter(({ event }) => isActiveAt(event.window, nowTs))
    .flatMap(({ event, forecast }) =>
      event.buckets.flatMap(({ yesTokenId, noTokenId }, i) => {
        const mid = price(forecast!.bucketProbabilities[i]! * (0.5 + uniform()));
        return [
          quoteOf(yesTokenId, price(mid - 0.01), price(mid + 0.01), nowTs),
          quoteOf(noTokenId, price(0.99 - mid), price(1.01 - mid), nowTs),
        ];
      }),
    );
}

async function liveTheWeek(bench: Bench): Promise<void> {
  const { uniform } = createRandom(4);
  const posts = pretendPosts(ORIGIN_TS - HISTORY_DAYS * DAY_MS, WEEK.window.endTs);
  await bench.capture(posts.filter(({ createdTs }) => createdTs < ORIGIN_TS));
  await bench.listEvent(WEEK);
  await bench.listEvent(THREE_DAYS);
  const publisher = publisherOf(bench);
  const accounts = [profileOfLetter('a')];
  const recorder = createSignalRecorder({ ...bench, accounts, logger: silentLogger });
  for (const horizonH of SCORED_HORIZONS_H) {
    const fromTs = bench.clock.now();
    const untilTs = WEEK.window.endTs - horizonH * HOUR_MS - 10 * SECOND_MS;
    bench.clock.step(untilTs - fromTs);
    await bench.capture(posts.filter(({ createdTs }) => createdTs >= fromTs && createdTs < untilTs));
    await publisher.runOnce();
    bench.clock.step(20 * SECOND_MS);
    await bench.readQuotes(quoteEverything(bench, uniform));
    await recorder.runOnce();
  }
  await bench.capture(posts.filter(({ createdTs }) => createdTs >= bench.clock.now()));
  bench.clock.step(WEEK.window.endTs + 7 * HOUR_MS - bench.clock.now());
}

/** Moves months ahead: the event is settled, prices are thinned, the market is closed. */
async function letTimePass(bench: Bench, finalCount: number): Promise<void> {
  await bench.readOracle(WEEK.eventId, finalCount);
  await settlementOf(bench).runOnce();
  bench.clock.step(30 * DAY_MS);
  await createPruneJob({ ...bench, retention: DEFAULT_RETENTION, logger: silentLogger }).runOnce();
  const shut = { isOpen: false, listedPrice: 0, tickSize: 0.001 };
  await bench.store.events.upsert([
    { ...WEEK, isClosed: true, buckets: WEEK.buckets.map((bucket) => ({ ...bucket, ...shut })) },
  ]);
}

for (const engine of ENGINE_NAMES) {
  describe(`a settled week replayed from ${engine}`, () => {
    let harness: Harness;
    let store: Store;
    let finalCount: number;
    let drop = async () => {};
    before(async () => {
      const database = engine === 'postgres' ? await createDatabase() : null;
      if (database) drop = () => database.drop();
      harness = await startHarness({ empty: true, ...(database && { databaseUrl: database.url }) });
      ({ store } = harness);
      harness.clock.step(ORIGIN_TS - harness.clock.now());
      const bench = await createBench(ORIGIN_TS, harness);
      await liveTheWeek(bench);
      const { startTs, endTs } = WEEK.window;
      finalCount = await store.posts.countCounted('a', startTs, endTs);
      await letTimePass(bench, finalCount);
    });
    after(async () => {
      await harness?.close();
      await drop();
    });

    it('has the recorded signals and results at every horizon', async () => {
      const replay = await replaySignals(store, (await store.events.find(WEEK.eventId))!);
      assert.deepEqual(findDifferences(replay), []);
      assert.deepEqual(replay.withoutGrounds, []);
      const horizons = new Set(replay.recorded.map(({ horizonH }) => horizonH));
      assert.deepEqual([...horizons], [...SCORED_HORIZONS_H]);
      const strategies = new Set(replay.recorded.map(({ strategy }) => strategy));
      assert.ok(strategies.has(null) && strategies.has(BUY_NO), 'both Yes and No were bought');
      const winner = WEEK.buckets.find(({ lo, hi }) => lo <= finalCount && finalCount <= (hi ?? Infinity))!;
      const [settlement] = await store.settlements.latest([WEEK.eventId]);
      assert.deepEqual([settlement!.finalCount, settlement!.winningLabel], [finalCount, winner.label]);
      for (const { strategy, bucketLabel, won } of replay.replayed.filter((one) => one.strategy === null))
        assert.equal(won, bucketLabel === winner.label, `${strategy} ${bucketLabel}`);
    });

    it('uses the distributions stored at that moment', async () => {
      const instants = new Set(
        (await store.signals.list({ eventId: WEEK.eventId })).map(({ asofTs }) => asofTs),
      );
      for (const asofTs of instants) {
        const grounds = JSON.parse((await store.signals.findGrounds('a', asofTs))!) as Grounds;
        const { forecast } = grounds.events.find(({ eventId }) => eventId === WEEK.eventId)!;
        const stored = (await store.forecasts.standingAt(WEEK.eventId, asofTs))!;
        assert.equal(stored.asofTs, forecast!.asofTs);
        const distribution = { from: stored.distributionFrom, pmf: Float64Array.from(stored.distribution) };
        assert.deepEqual(
          bucketProbabilities(distribution, WEEK.buckets, stored.countSoFar),
          forecast!.bucketProbabilities,
        );
      }
    });

    it('matches the history', async () => {
      const { replayed } = await replaySignals(store, (await store.events.find(WEEK.eventId))!);
      const path = `/history/account_a/${WEEK.eventId}`;
      const { json } = await harness.call(path, { key: harness.keys.PRO });
      const withoutLine = (entry: object) => ({ ...entry, closing_line_value: null });
      const place = (entry: unknown) => JSON.stringify(entry);
      assert.deepEqual(
        json.data.signals.map(withoutLine).map(place).sort(),
        replayed
          .map((signal) =>
            JSON.parse(JSON.stringify(LedgerEntry.present({ signal, place: { account: 'account_a' } }))),
          )
          .map(withoutLine)
          .map(place)
          .sort(),
      );
      assert.equal(json.data.settlement.final_count, finalCount);
    });

    it('differs if a stored price is changed, and reports missing inputs', async () => {
      const event = (await store.events.find(WEEK.eventId))!;
      const withGrounds = (change: (content: string) => string | null) => ({
        ...store,
        signals: {
          ...store.signals,
          findGrounds: async (accountId: string, asofTs: number) =>
            change((await store.signals.findGrounds(accountId, asofTs))!),
        },
      });
      const cheaper = (content: string) => {
        const grounds = JSON.parse(content) as Grounds;
        for (const { buckets } of grounds.events)
          for (const { yes } of buckets) if (yes) yes.ask = Math.max(0.01, yes.ask! - 0.01);
        return JSON.stringify(grounds);
      };
      assert.notDeepEqual(findDifferences(await replaySignals(withGrounds(cheaper), event)), []);
      const lost = await replaySignals(
        withGrounds(() => null),
        event,
      );
      assert.equal(lost.withoutGrounds.length, SCORED_HORIZONS_H.length);
      assert.deepEqual([lost.replayed, findDifferences(lost)], [[], []]);
    });

    it('can be verified by an operator', async () => {
      const { length } = await store.signals.list({ eventId: WEEK.eventId });
      const accounts = [profileOfLetter('a')];
      assert.deepEqual(await recheck(store, { accounts }), {
        events: 1,
        again: length,
        lost: 0,
        differences: [],
      });
    });
  });
}
