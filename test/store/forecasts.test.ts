import assert from 'node:assert/strict';
import { describeStore } from './engines.ts';
import {
  HOUR_MS,
  START_TS,
  sampleAdvice,
  sampleEvent,
  sampleForecast,
  sampleScore,
  sampleSignal,
} from './samples.ts';

describeStore('forecasts', (test) => {
  test('are returned with exact numbers', async (store) => {
    const forecast = sampleForecast();
    const bare = sampleForecast({ eventId: 102, baselines: null, distribution: [], p50: 12.25 });
    await store.forecasts.record([forecast, bare]);
    assert.deepEqual(await store.forecasts.latest([101, 102, 103]), [forecast, bare]);
    assert.deepEqual(await store.forecasts.latest([]), []);
  });

  test('can be found by the time at which they were current', async (store) => {
    const published = [0, 10, 20].map((s) => sampleForecast({ asofTs: START_TS + s * 1_000 }));
    await store.forecasts.record(published);
    assert.deepEqual(await store.forecasts.standingAt(101, START_TS + 19_999), published[1]);
    assert.deepEqual(await store.forecasts.standingAt(101, START_TS + 20_000), published[2]);
    assert.equal(await store.forecasts.standingAt(101, START_TS - 1), undefined);
    assert.deepEqual(await store.forecasts.latest([101]), [published[2]]);
  });

  test('are thinned to one per hour plus those at the scored horizons', async (store) => {
    const endTs = START_TS + 80 * HOUR_MS;
    await store.events.upsert([sampleEvent({ window: { startTs: START_TS, endTs } })]);
    const minutes = (count: number) => count * 60_000;
    const horizonTs = endTs - 24 * HOUR_MS - minutes(10);
    const times = [
      horizonTs - minutes(20),
      horizonTs,
      horizonTs + minutes(15),
      horizonTs + minutes(35),
      endTs - minutes(30),
      endTs - minutes(20),
    ];
    await store.forecasts.record(times.map((asofTs) => sampleForecast({ asofTs })));
    const untilTs = endTs;
    assert.equal(await store.forecasts.dropDistributions(START_TS, untilTs), 4);
    assert.equal((await store.forecasts.standingAt(101, horizonTs))?.distribution.length, 5);
    assert.equal((await store.forecasts.standingAt(101, endTs - 6 * HOUR_MS))?.distribution.length, 5);
    assert.deepEqual((await store.forecasts.standingAt(101, endTs))?.distribution, []);
    assert.equal((await store.forecasts.standingAt(101, endTs))?.baselines, null);
    assert.equal(await store.forecasts.thin(START_TS, untilTs), 3);
    const standing = async (ts: number) => (await store.forecasts.standingAt(101, ts))?.asofTs;
    assert.equal(await standing(endTs - 24 * HOUR_MS), horizonTs);
    assert.equal(await standing(endTs - 24 * HOUR_MS + minutes(30)), horizonTs + minutes(35));
    assert.equal(await standing(horizonTs - 1), undefined);
    assert.equal(await standing(endTs), endTs - minutes(20));
    assert.equal(await store.forecasts.dropDistributions(START_TS, untilTs), 0);
    assert.equal(await store.forecasts.thin(START_TS, untilTs), 0);
  });
});

describeStore('forecast history', (test) => {
  test('lists all points or the last of each hour, without distributions', async (store) => {
    const times = [0, 5, 55, 60, 130].map((minute) => START_TS + minute * 60_000);
    await store.forecasts.record(times.map((asofTs, i) => sampleForecast({ asofTs, countSoFar: i })));
    await store.forecasts.record([sampleForecast({ eventId: 102 })]);
    const all = { fromTs: START_TS, untilTs: START_TS + 3 * HOUR_MS, limit: 10, isHourly: false };
    const listTimes = async (change: Partial<typeof all>) =>
      (await store.forecasts.listPoints(101, { ...all, ...change })).map(({ asofTs }) => asofTs);
    assert.deepEqual(await listTimes({}), times);
    assert.deepEqual(await listTimes({ isHourly: true }), [times[2], times[3], times[4]]);
    assert.deepEqual(await listTimes({ limit: 2, fromTs: times[1]! }), [times[1], times[2]]);
    assert.deepEqual(await listTimes({ untilTs: times[1]! }), [times[0]]);
    const [first] = await store.forecasts.listPoints(101, all);
    const { p5, p50, p95, bucketProbabilities, marketPrices, modelVersion } = sampleForecast();
    const course = { p5, p50, p95, bucketProbabilities, marketPrices, modelVersion };
    assert.deepEqual(first, { asofTs: START_TS, countSoFar: 0, ...course });
    assert.equal(await store.forecasts.findNextTs(START_TS + 1), times[1]);
    assert.equal(await store.forecasts.findNextTs(times[4]! + 1), undefined);
  });
});

describeStore('scores', (test) => {
  test('are replaced when the event is scored again', async (store) => {
    await store.scores.upsert([sampleScore()]);
    const again = sampleScore({ finalCount: 37, crps: 1.75, isInside50: false });
    await store.scores.upsert([again]);
    assert.deepEqual(await store.scores.list({}), [again]);
  });

  test('can be filtered by account, horizon and end time', async (store) => {
    const score = sampleScore();
    await store.scores.upsert([
      score,
      sampleScore({ horizonH: 48 }),
      sampleScore({ eventId: 102, endTs: score.endTs + 1 }),
      sampleScore({ eventId: 103, accountId: 'b' }),
    ]);
    const ids = async (filter: Parameters<typeof store.scores.list>[0]) =>
      (await store.scores.list(filter)).map(({ eventId, horizonH }) => `${eventId}/${horizonH}`);
    assert.deepEqual(await ids({ accountId: 'a' }), ['101/24', '101/48', '102/24']);
    assert.deepEqual(await ids({ horizonH: 24 }), ['101/24', '103/24', '102/24']);
    assert.deepEqual(await ids({ accountId: 'a', endedAfterTs: score.endTs }), ['102/24']);
    assert.deepEqual(await ids({ eventIds: [102, 103] }), ['103/24', '102/24']);
    const versions = async () =>
      new Map((await store.scores.listVersions('a')).map(({ eventId, version }) => [eventId, version]));
    const before = await versions();
    await store.scores.upsert([sampleScore({ eventId: 102, horizonH: 6 })]);
    const after = await versions();
    assert.deepEqual([...after.keys()].sort(), [101, 102]);
    assert.deepEqual([after.get(101) === before.get(101), after.get(102) === before.get(102)], [true, false]);
  });
});

describeStore('signals', (test) => {
  test('are never overwritten once recorded, and can be settled', async (store) => {
    const plain = sampleSignal();
    const strategic = sampleSignal({ strategy: 'TWO_BUCKET' });
    await store.signals.record([plain, strategic]);
    await store.signals.record([sampleSignal({ marketPrice: 0.1 })]);
    assert.deepEqual(await store.signals.list({ eventId: 101 }), [plain, strategic]);
    assert.deepEqual(await store.signals.list({ settledOnly: true }), []);
    const settled = { ...plain, won: true, pnlUsd: 30.4, closingLineValue: 0.03, settledTs: START_TS + 9 };
    await store.signals.settle([settled]);
    assert.deepEqual(await store.signals.list({ settledOnly: true, accountId: 'a' }), [settled]);
    assert.deepEqual(await store.signals.list({ accountId: 'b' }), []);
  });
});

describeStore('happenings', (test) => {
  test('are replaced when they end, and listed by change, by start and while they last', async (store) => {
    const { happenings } = store;
    const advice = sampleAdvice();
    const jump = {
      ...{ accountId: 'a', eventId: 101, kind: 'price' as const, bucketLabel: '40-49', fromTs: START_TS + 1 },
      ...{ endedTs: START_TS + 2, content: { fromPrice: 0.57, toPrice: 0.86 } },
    };
    await happenings.put([advice, jump]);
    assert.deepEqual(await happenings.listLasting('a'), [advice]);
    const ended = sampleAdvice({ endedTs: START_TS + 3, content: { ...advice.content, endPrice: 0.87 } });
    await happenings.put([ended, sampleAdvice({ eventId: 102, fromTs: START_TS - 1 })]);
    assert.deepEqual(await happenings.listChanged('a', START_TS, 9), [ended, jump]);
    assert.deepEqual(await happenings.listChanged('a', START_TS, 1), [ended]);
    assert.deepEqual(await happenings.listAdvice({ accountId: 'a', eventId: 101, limit: 9 }), [ended]);
    assert.deepEqual((await happenings.listAdvice({ accountId: 'a', limit: 1 }))[0], ended);
    assert.deepEqual(await happenings.listAdvice({ accountId: 'b', limit: 9 }), []);
    assert.equal(await happenings.prune(START_TS + 9), 1);
    assert.equal((await happenings.listChanged('a', 0, 9)).length, 2, 'advice is kept');
  });
});

describeStore('annotations', (test) => {
  test('are listed once each, after a given time', async (store) => {
    const mark = { ts: START_TS, label: 'model 1.1', commit: 'abc' };
    await store.annotations.add(mark);
    await store.annotations.add(mark);
    await store.annotations.add({ ...mark, ts: START_TS - 1 });
    assert.deepEqual(await store.annotations.list(START_TS - 1), [mark]);
  });
});
