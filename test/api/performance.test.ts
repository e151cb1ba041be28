// Performance and calibration from stored scores, and the metrics port.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { DAY_MS, HOUR_MS } from '../../src/domain/units.ts';
import { verifySeals } from '../../src/sealing/verify-seals.ts';
import { createMetricsServer } from '../../src/server/metrics.ts';
import type { ForecastScore, SignalRecord } from '../../src/store/ports.ts';
import { PRIOR_EVIDENCE } from '../../src/trade/edges/prior-evidence.ts';
import { judgeRule } from '../../src/trade/rules/judge.ts';
import { sampleDraft, sampleSignal } from '../store/samples.ts';
import { NOW_TS } from './fixture.ts';
import { type Harness, startHarness } from './harness.ts';

const SEALED_TS = NOW_TS - 3 * HOUR_MS;

function createScore(eventId: number, accountId: string, errorPercent: number, endTs: number): ForecastScore {
  return {
    eventId,
    accountId,
    horizonH: 24,
    endTs,
    finalCount: 100,
    p50: 100 + errorPercent,
    errorPercent,
    crps: 5,
    logScore: 3,
    bucketLogScore: 1,
    pitLow: 0.4,
    pitHigh: 0.6,
    isInside50: true,
    isInside90: true,
    buckets: [
      { probability: 0.7, won: true, marketPrice: 0.6 },
      { probability: 0.3, won: false, marketPrice: 0.4 },
    ],
    baselines: {
      pace: { crps: 7, bucketLogScore: 1.5, p50: 120 },
      market: { crps: null, bucketLogScore: 1.2, p50: null },
    },
    modelVersion: 'm1',
    scoredTs: endTs + HOUR_MS,
  };
}

function createSignal(eventId: number, settledTs: number | null): SignalRecord {
  const isSettled = settledTs !== null;
  return sampleSignal({
    eventId,
    accountId: 'a',
    asofTs: NOW_TS - 2 * HOUR_MS,
    settledTs,
    won: isSettled ? true : null,
    pnlUsd: isSettled ? 3 : null,
  });
}

describe('the performance API', () => {
  let harness: Harness;
  before(async () => {
    harness = await startHarness();
    await harness.store.scores.upsert([
      createScore(1, 'a', 10, NOW_TS - 2 * DAY_MS),
      createScore(2, 'a', 20, NOW_TS - 3 * DAY_MS),
      createScore(3, 'b', 40, NOW_TS - 40 * DAY_MS),
    ]);
    await harness.store.annotations.add({ ts: NOW_TS - DAY_MS, label: 'model m2', commit: 'abc' });
  });
  after(() => harness.close());

  it('reports calibration per account and horizon', async () => {
    const { json } = await harness.call('/performance/calibration?account=account_a');
    const [day] = json.data;
    assert.equal(day.account, 'account_a');
    assert.equal(day.horizon, 24);
    assert.equal(day.sample_size, 2);
    assert.equal(day.pit_histogram[4].count, 1);
    assert.equal(day.pit_histogram[5].count, 1);
    assert.equal(day.coverage_90, 1);
    assert.deepEqual(day.reliability[7], {
      from: 0.7,
      to: 0.8,
      mean_probability: 0.7,
      won_fraction: 1,
      count: 2,
    });
    assert.deepEqual(
      day.scores.map(({ name, crps }: { name: string; crps: number }) => [name, crps]),
      [
        ['model', 5],
        ['market', null],
        ['pace', 7],
      ],
    );
    assert.equal(json.data[2].sample_size, 0);
  });

  it('reports published and recomputed forecasts separately, each with its sample size', async () => {
    await harness.store.scores.upsert([
      { ...createScore(4, 'a', 30, NOW_TS - DAY_MS), modelVersion: 'm1+backfill' },
    ]);
    const { json } = await harness.call('/performance/record.json');
    assert.deepEqual([json.forward.events, json.recomputed.events], [3, 1]);
    const [model, market, blend] = json.forward.forecasters;
    assert.deepEqual([model.name, market.name, blend.name], ['model', 'market', 'blend']);
    assert.equal(model.log_score.mean, 0.356675, 'minus the logarithm of 0.7');
    assert.equal(market.log_score.mean, 0.510826, 'minus the logarithm of 0.6');
    assert.ok(blend.log_score.mean > model.log_score.mean && blend.log_score.mean < market.log_score.mean);
    assert.equal(model.ranked_score.mean, 0.09);
    assert.deepEqual([model.log_score.low, model.log_score.events], [0.356675, 3]);
    assert.deepEqual(json.forward.by_lead[0], {
      horizon: 24,
      median_error_pct: 20,
      low: 10,
      high: 40,
      events: 3,
    });
    assert.equal(json.recomputed.by_lead[0].low, null, 'one event has no interval');
    assert.deepEqual(
      json.forward.points.map(({ event_id }: { event_id: number }) => event_id),
      [3, 2, 1],
    );
  });

  it('shows what settled events say about each rule, recomputed and forward apart', async () => {
    const won = {
      price: 0.6,
      spreadCost: 0.02,
      said: 0.7,
      won: true,
      bucketLabel: '0-19',
      side: 'No' as const,
    };
    const bets = [1, 2, 3, 4].map((eventId) => ({
      ...{ ...won, eventId, endTs: eventId * HOUR_MS, isRecomputed: eventId === 4 },
      won: eventId !== 4,
    }));
    const rules = [{ rule: 'no-below-blend', venue: 'kalshi', ...judgeRule(bets) }];
    const snapshot = harness.board.find('a')!;
    const version = snapshot.version + 1;
    harness.board.replace({ ...snapshot, version, evidence: { ...PRIOR_EVIDENCE, rules } });
    const { json } = await harness.call('/performance/record.json?account=account_a');
    harness.board.replace({ ...snapshot, version: version + 1 });
    const [shown] = json.evidence[0].rules;
    assert.deepEqual([shown.rule, shown.venue, shown.may_advise], ['no-below-blend', 'kalshi', false]);
    assert.deepEqual([shown.forward.events, shown.forward.usd_per_share, shown.forward.low], [3, 0.38, 0.38]);
    assert.deepEqual([shown.recomputed.events, shown.recomputed.usd_per_share], [1, -0.62]);
    assert.equal(shown.chosen_on[0].account, 'a');
  });

  it('shows trades in open events to PRO callers only', async () => {
    const open = createSignal(11, null);
    await harness.store.signals.record([open, createSignal(12, NOW_TS - HOUR_MS)]);
    const eventsSeenBy = async (key?: string) => {
      const { json } = await harness.call('/performance/ledger', key === undefined ? {} : { key });
      return json.data.map((row: { event_id: number }) => row.event_id).sort();
    };
    assert.deepEqual(await eventsSeenBy(harness.keys.PRO), [11, 12]);
    assert.deepEqual(await eventsSeenBy(), [12]);
    assert.deepEqual(await eventsSeenBy(harness.keys.FREE), [12]);
    assert.deepEqual(await eventsSeenBy(harness.keys.INTERNAL), [11, 12]);
  });

  it('publishes forecast hashes immediately, but shows the text only to PRO callers until the event settles', async () => {
    const drafts = [
      sampleDraft({ recordedTs: SEALED_TS, event: 21 }),
      sampleDraft({ recordedTs: SEALED_TS, event: 22 }),
    ];
    await harness.store.seals.append(drafts);
    await harness.store.seals.sealNext(SEALED_TS + 1);
    const settled = {
      accountId: 'a',
      finalCount: 3,
      winningLabel: '<40',
      source: 'oracle',
      settledTs: NOW_TS,
    };
    await harness.store.settlements.record({ ...settled, eventId: 21 });
    const list = (await harness.call('/performance/seals')).json;
    assert.deepEqual(list.data, [list.newest]);
    const path = `/performance/seals/${list.newest.hour_ts}`;
    const eventsIn = (entries: { entry: string | null }[]) =>
      entries.map(({ entry }) => entry && JSON.parse(entry).event);
    const anonymous = await harness.call(path);
    const pro = await harness.call(path, { key: harness.keys.PRO });
    assert.deepEqual(eventsIn(anonymous.json.data.entries), [21, null]);
    assert.deepEqual(eventsIn(pro.json.data.entries), [21, 22]);
    const proof = await harness.call(`${path}?seq=2`);
    const answers = await Promise.all([anonymous, pro, proof].map(({ text }) => verifySeals([text])));
    assert.deepEqual(
      answers.map(({ answer, withheld }) => [answer, withheld.length]),
      [
        ['complete', 1],
        ['complete', 0],
        ['proven', 0],
      ],
    );
    assert.equal(proof.json.data.proof.entry, null);
    assert.equal((await harness.call(`${path}?seq=3`)).status, 404);
    assert.equal((await harness.call('/performance/seals/1')).status, 404);
    assert.equal((await harness.call('/performance/seals/noon')).status, 422);
    assert.equal((await harness.call('/performance/seals?cursor=x')).status, 422);
  });

  it('reports requests, buffers and limits on the metrics port', async () => {
    await harness.call('/performance/overview');
    const metrics = createMetricsServer(harness.api.metrics);
    const { port } = await metrics.listen({ host: '127.0.0.1', port: 0 });
    try {
      const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
      assert.match(
        text,
        /tallycast_http_requests_total\{method="GET",route="\/api\/v1\/performance\/overview",status="200"\} 1/,
      );
      assert.match(text, /tallycast_http_request_duration_seconds_count \d+/);
      assert.match(text, /tallycast_usage_buffer_rows \d+/);
      assert.equal((await fetch(`http://127.0.0.1:${port}/other`)).status, 404);
    } finally {
      await metrics.close();
    }
  });
});
