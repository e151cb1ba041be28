// Settlement on a real store: final counts, scores and signals, even if the store fails in between.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { profileOfLetter } from '../../src/domain/account-profile.ts';
import { MAIN_FEED_RULE } from '../../src/domain/counting-rule.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/domain/units.ts';
import { createSignalRecorder } from '../../src/jobs/settling/record-signals.ts';
import { createSettlementJob } from '../../src/jobs/settling/settle-events.ts';
import { silentLogger } from '../../src/runtime/logger.ts';
import { createRandom } from '../../src/runtime/random.ts';
import { createAdvisers } from '../../src/trade/advice/adviser.ts';
import { keepLedger } from '../../src/trade/record/paper-ledger.ts';
import { first } from '../support/first.ts';
import {
  type Bench,
  eventOf,
  identity,
  keepBenches,
  ORIGIN_TS,
  publisherOf,
  quoteOf,
  settlementOf,
  trackRecordOf,
} from './jobs-fixture.ts';

const { running, withHistory } = keepBenches();

function signalsOf(bench: Bench) {
  return createSignalRecorder({
    ...bench,
    adviserOf: createAdvisers(),
    accounts: [profileOfLetter('a')],
    logger: silentLogger,
  });
}

describe('settlement', () => {
  it('waits for the oracle to catch up, then scores the event and follows a late correction', async () => {
    const { bench, event } = await running(6 + 1 / 60);
    const publisher = publisherOf(bench);
    await publisher.runOnce();
    bench.clock.advance(event.window.endTs - bench.clock.now());
    const own = await bench.store.posts.countCounted('a', event.window.startTs, event.window.endTs);
    const settlement = settlementOf(bench);
    await bench.readOracle(1, own);
    await settlement.runOnce();
    assert.deepEqual(await bench.store.settlements.latest([1]), [], 'the event has just ended');
    bench.clock.advance(31 * MINUTE_MS);
    await bench.readOracle(1, own - 2);
    await settlement.runOnce();
    assert.deepEqual(await bench.store.settlements.latest([1]), [], 'the oracle is still behind our count');
    await bench.readOracle(1, own);
    await settlement.runOnce();
    const settled = first(await bench.store.settlements.latest([1]));
    assert.deepEqual([settled.finalCount, settled.source, settled.revision], [own, 'oracle', 1]);
    const score = first(await bench.store.scores.list({ accountId: 'a', horizonH: 6 }));
    assert.equal(score.finalCount, own);
    assert.ok(score.crps >= 0 && score.pitLow <= score.pitHigh);
    assert.equal(score.buckets.filter((bucket) => bucket.won).length, 1);
    assert.ok(
      typeof score.baselines['pace-nb']?.crps === 'number' && score.baselines.market?.bucketLogScore !== null,
    );
    bench.clock.advance(DAY_MS);
    await bench.readOracle(1, own + 3);
    await settlement.runOnce();
    const revised = first(await bench.store.settlements.latest([1]));
    assert.deepEqual([revised.finalCount, revised.revision], [own + 3, 2]);
    assert.equal((await bench.store.scores.list({ horizonH: 6 }))[0]!.finalCount, own + 3);
  });
});

describe("a market that pays a bucket other than the oracle's", () => {
  it('corrects the bucket, the scores, the signals and the ledger, but not the count', async () => {
    const { bench, event } = await running(24);
    await publisherOf(bench).runOnce();
    const likely = bench.publications[0]!.forecasts[0]!.bucketProbabilities;
    const best = likely.indexOf(Math.max(...likely));
    const [counted, paid] = event.buckets.slice(best, best + 2);
    assert.ok(counted && paid);
    await bench.readQuotes([quoteOf(counted.yesTokenId, 0.02, 0.04, ORIGIN_TS)]);
    await signalsOf(bench).runOnce();
    bench.clock.advance(DAY_MS + 7 * HOUR_MS);
    await bench.readOracle(1, counted.lo);
    const settlement = settlementOf(bench);
    await settlement.runOnce();
    const readSettlement = async () => {
      const { finalCount, winningLabel, revision } = first(await bench.store.settlements.latest([1]));
      const score = first(await bench.store.scores.list({ accountId: 'a', horizonH: 24 }));
      const signals = await bench.store.signals.list({ eventId: 1, settledOnly: true });
      const plain = signals.find(({ bucketLabel, strategy }) => bucketLabel === counted.label && !strategy)!;
      const won = score.buckets.findIndex((bucket) => bucket.won);
      const ledger = keepLedger([plain], createRandom(1));
      return [finalCount, winningLabel, revision, event.buckets[won]?.label, plain.won, ledger.pnlUsd > 0];
    };
    assert.deepEqual(await readSettlement(), [counted.lo, counted.label, 1, counted.label, true, true]);
    await settlement.noteResolutions({ accountId: 'a' }, [{ event, winningLabel: counted.label }]);
    assert.deepEqual((await readSettlement())[2], 1, 'a repeated result changes nothing');
    await settlement.noteResolutions({ accountId: 'a' }, [{ event, winningLabel: paid.label }]);
    assert.deepEqual(await readSettlement(), [counted.lo, paid.label, 2, paid.label, false, false]);
    await settlementOf(bench).runOnce();
    assert.deepEqual(
      (await readSettlement())[2],
      2,
      'the correction survives a restart, before the market is read again',
    );
    await bench.readOracle(1, counted.lo + 1);
    await settlementOf(bench).runOnce();
    assert.deepEqual(await readSettlement(), [counted.lo + 1, paid.label, 3, paid.label, false, false]);
  });

  it('changes an estimate based on the market, made because the oracle is silent', async () => {
    const { bench, event } = await running(1);
    bench.clock.advance(HOUR_MS + DAY_MS);
    const settlement = settlementOf(bench);
    await settlement.noteResolutions({ accountId: 'a' }, [{ event, winningLabel: '200-219' }]);
    const estimate = first(await bench.store.settlements.latest([1]));
    assert.ok(estimate.source === 'market' && estimate.finalCount >= 200 && estimate.finalCount <= 219);
    await settlement.noteResolutions({ accountId: 'a' }, [{ event, winningLabel: '220-239' }]);
    const settled = first(await bench.store.settlements.latest([1]));
    assert.deepEqual([settled.winningLabel, settled.revision, settled.source], ['220-239', 2, 'market']);
    assert.ok(settled.finalCount >= 220 && settled.finalCount <= 239);
  });
});

describe('an event that ended hours ago', () => {
  for (const [when, closedHours] of [
    ['before the start is dated by its closing', -1],
    ['since the start is dated by our reading', 0],
  ] as const) {
    it(`and was closed ${when}`, async () => {
      const bench = await withHistory();
      const nowTs = bench.clock.now();
      const event = eventOf(7, nowTs - 2 * DAY_MS - 3 * HOUR_MS, 2);
      await bench.store.events.upsert([event]);
      await bench.readOracle(7, 1_000);
      const closedTs = nowTs + closedHours * HOUR_MS;
      const settlement = settlementOf(bench);
      await settlement.noteResolutions({ accountId: 'a' }, [{ event, winningLabel: null, closedTs }]);
      assert.equal(first(await bench.store.settlements.latest([7])).settledTs, closedTs);
    });
  }
});

describe('a contract on an additional venue', () => {
  it('is scored only on forecasts published before its end', async () => {
    const bench = await withHistory();
    const countingRule = { ...MAIN_FEED_RULE, deletedPosts: false };
    const terms = { venue: 'kalshi', settlementSource: 'rollcall', countingRule };
    const leadMs = 6 * HOUR_MS + MINUTE_MS;
    const live = { ...eventOf(2, ORIGIN_TS + leadMs - 7 * DAY_MS, 7), terms };
    const past = { ...eventOf(7, ORIGIN_TS - 9 * DAY_MS, 7), terms };
    await bench.listEvent(live);
    await bench.store.events.upsert([past]);
    await bench.readOracle(7, 140);
    await publisherOf(bench).runOnce();
    bench.clock.advance(leadMs + 7 * HOUR_MS);
    await bench.readOracle(2, 130);
    const resolutions = [live, past].map((event) => ({ event, winningLabel: null }));
    await settlementOf(bench).noteResolutions({ accountId: 'a' }, resolutions);
    await trackRecordOf(bench).runOnce();
    assert.equal((await bench.store.settlements.latest([2, 7])).length, 2);
    const scores = await bench.store.scores.list({ accountId: 'a' });
    assert.deepEqual(
      scores.map(({ eventId, horizonH, finalCount, modelVersion }) => [
        ...[eventId, horizonH, finalCount, modelVersion],
      ]),
      [[2, 6, 130, identity.modelVersion]],
    );
  });
});

/** Wraps the bench's store so that the first `failures` attempts to write scores fail. */
function refusingScores(bench: Bench, failures: number): Bench['store'] {
  let left = failures;
  const { scores } = bench.store;
  return {
    ...bench.store,
    scores: {
      ...scores,
      upsert: (rows) => (left-- > 0 ? Promise.reject(new Error('disk full')) : scores.upsert(rows)),
    },
  };
}

describe('a full disk at the end of an event', () => {
  it('delays settlement and scoring to the next round', async () => {
    const { bench } = await running(24);
    await publisherOf(bench).runOnce();
    bench.clock.advance(DAY_MS + 7 * HOUR_MS);
    await bench.readOracle(1, 150);
    const readSettlement: number[] = [];
    let rounds = 0;
    const settlement = createSettlementJob({
      ...bench,
      store: refusingScores(bench, 1),
      accountIds: ['a'],
      logger: silentLogger,
      onSettled: async ({ revision }) => void readSettlement.push(revision),
      onRound: async () => void (rounds += 1),
    });
    await settlement.runOnce();
    assert.deepEqual(await bench.store.settlements.latest([1]), [], 'not settled before it is scored');
    await settlement.runOnce();
    await settlement.runOnce();
    assert.equal((await bench.store.settlements.latest([1]))[0]!.finalCount, 150);
    assert.ok((await bench.store.scores.list({ accountId: 'a' })).length > 0);
    assert.deepEqual(readSettlement, [1]);
    assert.equal(rounds, 1, 'only a round that settled something is reported');
  });
});

describe('the signal record', () => {
  it("contains each horizon's signals once, settled with profit and closing-line value", async () => {
    const { bench, event } = await running(24);
    await publisherOf(bench).runOnce();
    const likely = bench.publications[0]!.forecasts[0]!.bucketProbabilities;
    const best = likely.indexOf(Math.max(...likely));
    const token = event.buckets[best]!.yesTokenId;
    await bench.readQuotes([quoteOf(token, 0.02, 0.04, ORIGIN_TS)]);
    const recorder = signalsOf(bench);
    await recorder.runOnce();
    await bench.readQuotes([quoteOf(token, 0.3, 0.32, ORIGIN_TS + MINUTE_MS)]);
    bench.clock.advance(MINUTE_MS);
    await recorder.runOnce();
    const signals = await bench.store.signals.list({ eventId: 1 });
    const [signal, ...rest] = signals.filter((s) => s.strategy === null);
    assert.ok(signal);
    assert.deepEqual(rest, []);
    assert.equal(signal.horizonH, 24);
    assert.equal(signal.costPerShare, 0.04192);
    bench.clock.advance(DAY_MS + 7 * HOUR_MS);
    await bench.readOracle(1, event.buckets[best]!.lo);
    await settlementOf(bench).runOnce();
    const settled = first(await bench.store.signals.list({ eventId: 1, settledOnly: true }));
    assert.equal(settled.won, true);
    assert.ok(Math.abs(settled.pnlUsd! - settled.shares * (1 - 0.04192)) < 1e-5);
    assert.equal(settled.closingLineValue, 0.26808);
  });
});
