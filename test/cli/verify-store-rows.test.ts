// Rows added to a store afterwards: `verify --store` reports each that the log should have had an entry for.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { verifyStore } from '../../src/cli/verify-store.ts';
import { RECOMPUTED_MARK } from '../../src/domain/scored-horizons.ts';
import { scoreEvent } from '../../src/jobs/scoring/score-forecast.ts';
import { draftForecast, draftRegistration } from '../../src/jobs/sealing/log-drafts.ts';
import { settleSignals } from '../../src/jobs/settling/signal-record.ts';
import type { ForecastRecord, Store } from '../../src/store/ports.ts';
import {
  HOUR_MS,
  START_TS,
  sampleEvent,
  sampleForecast,
  sampleScore,
  sampleSignal,
  sampleTrial,
  sampleTrialBet,
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

const trial = sampleTrial({ registeredTs: FIRST_TS });
const registered = draftRegistration(trial);

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
  [
    'a bet on an event that the log does not mention',
    (store) => store.trials.recordBets([sampleTrialBet({ eventId: OTHER })]),
    /^event 202: trial bet .* differs from the log$/,
  ],
  [
    'a trial with another definition',
    (store) => store.trials.register({ ...trial, definition: 'buy Yes' }, [registered]),
    /^trial f+ differs from its registration in the log$/,
  ],
  [
    'a trial with another date',
    (store) => store.trials.register({ ...trial, registeredTs: FIRST_TS - HOUR_MS }, [registered]),
    /^trial f+ differs from its registration in the log$/,
  ],
  [
    'a trial that was not registered in the log',
    (store) => store.trials.register(trial),
    /^trial f+ differs from its registration in the log$/,
  ],
  ['a trial that was removed', (store) => store.seals.append([registered]), /^trial f+ is missing$/],
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
    assert.deepEqual(problems, ['the log is empty, but the store has forecasts, signals, scores or trials']);
  });

  it('accepts a store of which nothing was changed', async () => {
    const untouched = await verifyWith(async (store) => store.trials.register(trial, [registered]));
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

  it('counts what an older version recorded before the log, and accepts what is marked as recomputed', async () => {
    const before = await verifyWith(async (store) => {
      const forecast = { asofTs: END_TS - 72 * HOUR_MS - 1_000, buildCommit: 'before the log' };
      await store.forecasts.record([perfect(forecast)]);
      await store.forecasts.record([
        perfect({ eventId: OTHER, asofTs: FIRST_TS + HOUR_MS, modelVersion: `1.0.0${RECOMPUTED_MARK}` }),
      ]);
    });
    assert.deepEqual(before, { problems: [], unlogged: 1 });
  });
});
