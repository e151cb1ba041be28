// Rows added to a store afterwards: `verify --store` reports each that the log should have had an entry for.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { verifyStore } from '../../src/cli/verify-store.ts';
import { RECOMPUTED_MARK } from '../../src/domain/scored-horizons.ts';
import { scoreEvent } from '../../src/jobs/scoring/score-forecast.ts';
import { draftForecast, draftSignal } from '../../src/jobs/sealing/log-drafts.ts';
import { settleSignals } from '../../src/jobs/settling/signal-record.ts';
import type { ForecastRecord, Store } from '../../src/store/ports.ts';
import {
  HOUR_MS,
  START_TS,
  sampleEvent,
  sampleForecast,
  sampleScore,
  sampleSignal,
} from '../store/samples.ts';
import { openTempStore } from '../support/temp-store.ts';

const END_TS = START_TS + 168 * HOUR_MS;
const FIRST_TS = END_TS - 50 * HOUR_MS;
const OTHER = 202;
const OUTCOME = { finalCount: 36, winningLabel: '<40' };

/** Certain of the final count. */
const perfect = (change: Partial<ForecastRecord>) =>
  sampleForecast({
    p50: 36,
    distributionFrom: 36,
    distribution: [1],
    bucketProbabilities: [1, 0],
    ...change,
  });

/** Forecasts of one event every half hour, each in the log. */
async function logForecasts(store: Store): Promise<void> {
  for (let i = 0; i < 60; i++) {
    const asofTs = FIRST_TS + (i * HOUR_MS) / 2;
    const forecast = sampleForecast({ asofTs, p50: 20 });
    const origin = { recordedTs: asofTs, isRecomputed: false };
    await store.forecasts.record([forecast], [draftForecast(forecast, origin)]);
  }
}

async function settle(store: Store, eventId: number): Promise<void> {
  const event = sampleEvent({ eventId });
  await store.events.upsert([event]);
  await scoreEvent(store, event, OUTCOME, END_TS);
  await settleSignals(store, event, OUTCOME, END_TS);
  await store.settlements.record({
    ...OUTCOME,
    eventId,
    accountId: 'a',
    source: 'oracle',
    settledTs: END_TS,
  });
}

async function verifyWith(change: (store: Store) => Promise<void>, isLogged = true) {
  const { store, close } = await openTempStore();
  if (isLogged) await logForecasts(store);
  await change(store);
  await settle(store, 101);
  while (await store.seals.sealNext(END_TS - 10 * HOUR_MS));
  const { problems, unlogged } = await verifyStore(store, END_TS + HOUR_MS);
  await close();
  return { problems, unlogged };
}

const MARKED = { modelVersion: `1.0.0${RECOMPUTED_MARK}` };
const before = (hours: number) => END_TS - hours * HOUR_MS;

/** A forecast of the other event as versions before the log stored it. */
const recordOld = (store: Store, change: Partial<ForecastRecord>) =>
  store.forecasts.record([sampleForecast({ eventId: OTHER, buildCommit: 'before the log', ...change })]);

async function recordForward(store: Store, asofTs: number): Promise<void> {
  const forecast = sampleForecast({ eventId: OTHER, asofTs });
  await store.forecasts.record(
    [forecast],
    [draftForecast(forecast, { recordedTs: asofTs, isRecomputed: false })],
  );
}

async function recordRecomputed(
  store: Store,
  recordedTs: number,
  change: Partial<ForecastRecord>,
): Promise<void> {
  const forecast = sampleForecast({ eventId: OTHER, ...MARKED, ...change });
  await store.forecasts.record([forecast], [draftForecast(forecast, { recordedTs, isRecomputed: true })]);
}

/** Verifies a store with a log of the other event only. */
async function verifyOther(change: (store: Store) => Promise<void>, nowTs = END_TS + HOUR_MS) {
  const { store, close } = await openTempStore();
  await store.events.upsert([sampleEvent({ eventId: OTHER })]);
  await change(store);
  const { problems, unlogged } = await verifyStore(store, nowTs);
  await close();
  return { problems, unlogged };
}

/** The event is scored and the result of its signal is stored, but not yet the settlement. */
async function settleHalf(store: Store, change: { won?: boolean; isOpen?: boolean }): Promise<void> {
  const event = sampleEvent({ eventId: OTHER });
  const signal = sampleSignal({ eventId: OTHER, asofTs: before(24) });
  await recordForward(store, before(24) - 1);
  await store.signals.record([signal], [draftSignal(signal, before(24))]);
  await scoreEvent(store, event, OUTCOME, END_TS);
  if (!change.isOpen) await settleSignals(store, event, OUTCOME, END_TS);
  const [settled] = await store.signals.list({ eventId: OTHER });
  if (change.won !== undefined) await store.signals.settle([{ ...settled!, won: change.won }]);
}

const FORGERIES: [string, (store: Store) => Promise<void>, RegExp][] = [
  [
    'a won signal of an event without sealed signals',
    (store) => store.signals.record([sampleSignal({ asofTs: END_TS - 24 * HOUR_MS })]),
    /^event 101: signal .* was never logged$/,
  ],
  [
    'a won signal with a time before the log',
    (store) => store.signals.record([sampleSignal({ asofTs: START_TS })]),
    /^event 101: signal .* was never logged$/,
  ],
  [
    "a forecast before the event's first in the log, from a build that logs",
    (store) => store.forecasts.record([perfect({ asofTs: END_TS - 72 * HOUR_MS - 1_000 })]),
    /^event 101: forecast at \d+ was never logged$/,
  ],
  [
    'an event that the log does not mention',
    async (store) => {
      await store.forecasts.record([
        perfect({ eventId: OTHER, asofTs: END_TS - 24 * HOUR_MS - 1, buildCommit: 'forged' }),
      ]);
      await settle(store, OTHER);
    },
    /^event 202: forecast at \d+ was never logged$/,
  ],
  [
    'a score without a forecast',
    async (store) => {
      await store.events.upsert([sampleEvent({ eventId: OTHER })]);
      await store.scores.upsert([sampleScore({ eventId: OTHER })]);
    },
    /^event 202: scores do not match the forecasts and the outcome$/,
  ],
  [
    'a score of an event that is not stored',
    (store) => store.scores.upsert([sampleScore({ eventId: OTHER })]),
    /^event 202: has scores, but is not stored$/,
  ],
];

describe('verify --store', { concurrency: 2 }, () => {
  for (const [name, change, expected] of FORGERIES) {
    it(`reports ${name}`, async () => {
      const { problems } = await verifyWith(change);
      assert.equal(problems.length, 1, problems.join('\n'));
      assert.match(problems[0]!, expected);
    });
  }

  it('reports an empty log beside forecasts and scores', async () => {
    const { problems } = await verifyWith(
      (store) => store.forecasts.record([perfect({ asofTs: END_TS - 24 * HOUR_MS - 1 })]),
      false,
    );
    assert.deepEqual(problems, ['the log is empty, but the store has forecasts, signals or scores']);
  });

  it('accepts a store of which nothing was changed', async () => {
    const untouched = await verifyWith(async () => {});
    assert.deepEqual(untouched, { problems: [], unlogged: 0 });
  });

  it('accepts scores if the process was killed before it stored the settlement', async () => {
    const { problems } = await verifyWith(async (store) => {
      const event = sampleEvent({ eventId: OTHER });
      const forecast = sampleForecast({ eventId: OTHER, asofTs: END_TS - 24 * HOUR_MS - 1 });
      const origin = { recordedTs: forecast.asofTs, isRecomputed: false };
      await store.events.upsert([event]);
      await store.forecasts.record([forecast], [draftForecast(forecast, origin)]);
      await scoreEvent(store, event, OUTCOME, END_TS);
    });
    assert.deepEqual(problems, []);
  });

  it('accepts signals if the process was killed before it stored the settlement', async () => {
    const settled = await verifyOther((store) => settleHalf(store, {}));
    assert.deepEqual(settled.problems, []);
    const open = await verifyOther((store) => settleHalf(store, { isOpen: true }));
    assert.deepEqual(open.problems, []);
  });

  it('reports a signal with another result than the scores of its event', async () => {
    const { problems } = await verifyOther((store) => settleHalf(store, { won: false }));
    assert.equal(problems.length, 1, problems.join('\n'));
    assert.match(problems[0]!, /^event 202: signal .* or its result differs from the log$/);
  });

  it('accepts an old forecast after earlier moments were recomputed and logged', async () => {
    const result = await verifyOther(async (store) => {
      await recordOld(store, { asofTs: before(60) });
      await recordRecomputed(store, before(40), { asofTs: before(90) });
      await recordForward(store, before(40) + 1_000);
    }, before(30));
    assert.deepEqual(result, { problems: [], unlogged: 1 });
  });

  it('accepts an old recomputed horizon after an earlier moment was recomputed and logged', async () => {
    const result = await verifyOther(async (store) => {
      await recordOld(store, { asofTs: before(72), ...MARKED });
      await recordRecomputed(store, END_TS + 5 * HOUR_MS, { asofTs: before(90) });
    });
    assert.deepEqual(result, { problems: [], unlogged: 0 });
  });

  /** Prices came once a day, and never at a horizon. */
  const scoreDaily = async (store: Store) => {
    for (const hours of [90, 72, 66, 48]) {
      const prices = hours === 72 || hours === 48 ? { marketPrices: [null, null] } : {};
      await recordRecomputed(store, END_TS + HOUR_MS, { asofTs: before(hours), ...prices });
    }
    await settle(store, OTHER);
    const scored = (await store.scores.list({})).map(({ horizonH }) => horizonH);
    assert.deepEqual(new Set(scored), new Set([90, 72, 66, 48]));
    assert.equal(await store.forecasts.dropDistributions(0, END_TS), 2);
  };

  it('accepts scores of priced moments after their distributions were pruned', async () => {
    assert.deepEqual(await verifyOther(scoreDaily), { problems: [], unlogged: 0 });
  });

  it('reports a score at a moment without a forecast beside pruned ones', async () => {
    const { problems } = await verifyOther(async (store) => {
      await scoreDaily(store);
      await store.scores.upsert([sampleScore({ eventId: OTHER, horizonH: 50 })]);
    });
    assert.deepEqual(problems, ['event 202: scores do not match the forecasts and the outcome']);
  });

  it('counts what an older version recorded before the log, and accepts what is marked as recomputed', async () => {
    const early = await verifyWith(async (store) => {
      const forecast = { asofTs: END_TS - 72 * HOUR_MS - 1_000, buildCommit: 'before the log' };
      await store.forecasts.record([perfect(forecast)]);
      await store.forecasts.record([
        perfect({ eventId: OTHER, asofTs: FIRST_TS + HOUR_MS, modelVersion: `1.0.0${RECOMPUTED_MARK}` }),
      ]);
    });
    assert.deepEqual(early, { problems: [], unlogged: 1 });
  });
});
