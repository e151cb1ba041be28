// Advice is stored state: published once, kept while nothing moves, and changed only for a reason.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { profileOfLetter } from '../../src/domain/account-profile.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/domain/units.ts';
import { rebuildSnapshot } from '../../src/ingest/recorder/rebuild.ts';
import { type AdvicePublication, createAdvicePublisher } from '../../src/jobs/publish-advice.ts';
import { createEdgeEvidence } from '../../src/jobs/scoring/edge-evidence.ts';
import { createScoredEvents } from '../../src/jobs/scoring/scored-events.ts';
import { silentLogger } from '../../src/runtime/logger.ts';
import { applyObservation } from '../../src/state/apply-observation.ts';
import { createBoard } from '../../src/state/board.ts';
import type { ForecastScore } from '../../src/store/ports.ts';
import { createAdvisers } from '../../src/trade/advice/adviser.ts';
import { PRIOR_EVIDENCE } from '../../src/trade/edges/prior-evidence.ts';
import { sampleForecast, sampleScore } from '../store/samples.ts';
import { evidenceOf } from '../support/priced-event.ts';
import { publishChange } from '../support/publish-change.ts';
import {
  type Bench,
  createBench,
  eventOf,
  HISTORY_DAYS,
  ORIGIN_TS,
  pretendPosts,
  publisherOf,
  quoteOf,
} from './jobs-fixture.ts';

const EVENT = eventOf(1, ORIGIN_TS - 4 * DAY_MS, 7);
const EVIDENCE = evidenceOf(1);

type AdviceOptions = Parameters<typeof createAdvicePublisher>[0];

function adviceOf(bench: Bench, change: Partial<AdviceOptions> = {}) {
  return createAdvicePublisher({
    ...{ ...bench, account: profileOfLetter('a'), logger: silentLogger },
    adviser: createAdvisers()(profileOfLetter('a')),
    ...{ getEvidence: () => EVIDENCE, onAdvised: async () => {} },
    ...change,
  });
}

/** Starts a job, and counts its decisions after something happens. */
function startCounting(t: TestContext, bench: Bench, change: Partial<AdviceOptions> = {}) {
  let rounds = 0;
  const getEvidence = () => {
    rounds++;
    return EVIDENCE;
  };
  const job = adviceOf(bench, { ...change, getEvidence });
  t.after(() => job.stop());
  job.start();
  return async (happen: () => void) => {
    await job.runOnce();
    const before = rounds;
    happen();
    await job.runOnce();
    return rounds - before - 1;
  };
}

async function startAdvising(t: TestContext) {
  const bench = await createBench();
  t.after(() => bench.close());
  await bench.capture(pretendPosts(ORIGIN_TS - HISTORY_DAYS * DAY_MS, ORIGIN_TS));
  await bench.listEvent(EVENT);
  await publisherOf(bench).runOnce();
  const published: AdvicePublication[] = [];
  const job = adviceOf(bench, {
    onAdvised: async (_, publication) => {
      published.push(publication);
      bench.note({ kind: 'advice-published', ...publication });
    },
  });
  const { bucketProbabilities } = bench.snapshot().events[0]!.forecast!;
  const best = bucketProbabilities.indexOf(Math.max(...bucketProbabilities));
  const { label, yesTokenId } = EVENT.buckets[best]!;
  const quote = (bid: number, ask: number) =>
    bench.readQuotes([quoteOf(yesTokenId, bid, ask, bench.clock.now())]);
  return { bench, job, published, label, quote };
}

describe("advice in the account's state", () => {
  it('is published once, and again only when it changes, with the reason', async (t) => {
    const { bench, job, published, label, quote } = await startAdvising(t);
    await quote(0.1, 0.12);
    await job.runOnce();
    const [first] = published;
    assert.equal(first!.standing['1']![label]!.kind, 'buy-yes');
    bench.clock.advance(MINUTE_MS);
    await job.runOnce();
    await quote(0.101, 0.121);
    await job.runOnce();
    assert.equal(published.length, 1, 'a price move of less than a tick and half a point changes nothing');
    await quote(0.94, 0.96);
    await job.runOnce();
    const changed = published[1]!.standing['1']![label]!;
    assert.notEqual(changed.kind, 'buy-yes');
    assert.equal(changed.sinceTs, bench.clock.now());
    assert.match(changed.changedBecause!, /Yes bid 10¢ → 94¢/);
    const given = await bench.store.happenings.listAdvice({ accountId: 'a', limit: 9 });
    const bought = given.find(({ content }) => 'verdict' in content && content.verdict === 'buy-yes')!;
    assert.deepEqual(
      [bought.bucketLabel, bought.fromTs, bought.endedTs, bought.content],
      [label, ORIGIN_TS, bench.clock.now(), { ...bought.content, limitPrice: 0.12, endPrice: 0.95 }],
    );
  });

  it('is decided again when a count changes, not when a poll confirms it', async (t) => {
    const { bench } = await startAdvising(t);
    const countRounds = startCounting(t, bench);
    const readCount = (count: number) => () => {
      bench.clock.advance(2 * SECOND_MS);
      const readings = [{ eventId: EVENT.eventId, count }];
      bench.note({ kind: 'counts-read', feed: 'oracle', readings, observedTs: bench.clock.now() });
    };
    assert.equal(await countRounds(readCount(4)), 1);
    assert.equal(await countRounds(readCount(4)), 0);
    assert.equal(await countRounds(readCount(5)), 1);
  });

  it('is decided again when a feed becomes stale or fresh, even if many accounts stretch its period', async (t) => {
    const { bench } = await startAdvising(t);
    const { clock } = bench;
    const board = createBoard();
    let updatedTs = clock.now();
    board.replace(bench.snapshot());
    const publish = () => {
      const feed = { feed: 'own' as const, updatedTs, staleAfterMs: MINUTE_MS, problem: null };
      publishChange(board, 'a', { feeds: [feed], takenTs: clock.now() });
    };
    publish();
    const countRounds = startCounting(t, bench, { board, crowding: 1_000 });
    const pass = (passMs: number) => () => {
      clock.advance(passMs);
      publish();
    };
    assert.equal(await countRounds(pass(2 * SECOND_MS)), 0);
    assert.equal(await countRounds(pass(2 * MINUTE_MS)), 1, 'stale');
    assert.equal(await countRounds(pass(2 * SECOND_MS)), 0);
    updatedTs = clock.now() + 2 * SECOND_MS;
    assert.equal(await countRounds(pass(2 * SECOND_MS)), 1, 'fresh');
  });

  it('is restored after a service restart with the same age and hysteresis, before evidence is learned', async (t) => {
    const { bench, job, label, quote } = await startAdvising(t);
    const { store, clock } = bench;
    await quote(0.1, 0.12);
    await job.runOnce();
    await store.snapshots.put('a', bench.snapshot().version, JSON.stringify(bench.snapshot()));
    clock.advance(MINUTE_MS);
    let restored = await rebuildSnapshot(store, profileOfLetter('a'), [], clock.now());
    assert.deepEqual(restored.standing, bench.snapshot().standing);
    const board = createBoard();
    board.replace(restored);
    const published: AdvicePublication[] = [];
    const again = adviceOf(bench, {
      board,
      getEvidence: () => undefined,
      onAdvised: async (_, publication) => void published.push(publication),
    });
    await again.runOnce();
    assert.equal(published.length, 0, "a first start's prior would have changed the advice");
    const { yesTokenId } = EVENT.buckets.find((bucket) => bucket.label === label)!;
    const move = (bid: number, ask: number) => {
      const quotes = [quoteOf(yesTokenId, bid, ask, clock.now())];
      const step = applyObservation(restored, { kind: 'quotes-read', quotes }, clock.now());
      restored = step.snapshot;
      board.publish(step);
    };
    move(0.101, 0.121);
    await again.runOnce();
    assert.equal(published.length, 0, 'the price moved less than a tick');
    move(0.94, 0.96);
    await again.runOnce();
    const changed = published[0]!.standing['1']![label]!;
    assert.match(changed.changedBecause!, /Yes bid 10¢ → 94¢/);
  });
});

describe('evidence from settled events', () => {
  it('uses every recorded moment with prices, and counts each event once', async (t) => {
    const { store, clock, close } = await createBench();
    t.after(close);
    const endTs = ORIGIN_TS - DAY_MS;
    // The model predicts the winner from the start, but prices do so only at the scored horizon.
    const moment = (hours: number, prices: number[]) =>
      sampleForecast({
        eventId: 7,
        accountId: 'a',
        asofTs: endTs - hours * HOUR_MS,
        bucketProbabilities: [0.8, 0.1, 0.1],
        marketPrices: prices,
      });
    await store.scores.upsert([scoreOf(7, endTs, [0.8, 0.1, 0.1])]);
    const book = createEdgeEvidence(['a'], store, clock);
    assert.equal(book.get('a'), undefined);
    await book.learn();
    const onlyScored = book.get('a')!;
    await store.forecasts.record(Array.from({ length: 150 }, (_, i) => moment(i + 1, [0.4, 0.3, 0.3])));
    const fresh = createEdgeEvidence(['a'], store, clock);
    await fresh.learn();
    const learned = fresh.get('a')!;
    assert.deepEqual([onlyScored.events, learned.events], [13, 13]);
    assert.ok(
      Math.abs(onlyScored.mean[0]! - PRIOR_EVIDENCE.mean[0]!) < 1e-6,
      'nothing is learned if model and prices agree',
    );
    assert.ok(learned.mean[0]! > PRIOR_EVIDENCE.mean[0]! + 0.01, `${learned.mean[0]}`);
  });
});

describe('scored events', () => {
  it('are read once for all who ask, and again only if they were scored again', async (t) => {
    const { store, close } = await createBench();
    t.after(close);
    const read: number[][] = [];
    const scores = {
      ...store.scores,
      list: (filter: Parameters<typeof store.scores.list>[0]) => {
        read.push([...(filter.eventIds ?? [])]);
        return store.scores.list(filter);
      },
    };
    const scored = createScoredEvents({ ...store, scores });
    await store.scores.upsert([scoreOf(7, ORIGIN_TS, [0.8, 0.2]), scoreOf(8, ORIGIN_TS + 1, [0.7, 0.3])]);
    const [first] = await Promise.all(Array.from({ length: 16 }, () => scored.read()));
    assert.deepEqual(
      first!.events.map(({ eventId }) => eventId),
      [7, 8],
    );
    assert.equal(await scored.read(), first);
    const unpriced = scoreOf(9, ORIGIN_TS, [0.5, 0.5]);
    const buckets = unpriced.buckets.map((bucket) => ({ ...bucket, marketPrice: null }));
    await store.scores.upsert([{ ...unpriced, buckets }]);
    assert.equal(await scored.read(), first);
    await store.scores.upsert([{ ...scoreOf(8, ORIGIN_TS + 1, [0.6, 0.4]), scoredTs: ORIGIN_TS + 2 }]);
    const [, again] = (await scored.read()).samples;
    assert.deepEqual(again!.prices, [0.6, 0.4]);
    assert.deepEqual(read, [[7, 8], [9], [8]]);
  });
});

function scoreOf(eventId: number, endTs: number, prices: readonly number[]): ForecastScore {
  const buckets = prices.map((price, i) => ({ probability: price, won: i === 0, marketPrice: price }));
  return sampleScore({ eventId, endTs, scoredTs: endTs, buckets, baselines: {} });
}
