// Rules under test on a real store: registration, sealed bets, settlement, and work on earlier events.

import assert from 'node:assert/strict';
import { describe, it, mock } from 'node:test';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/domain/units.ts';
import { createLookBackJob } from '../../src/jobs/trials/look-back.ts';
import { createTrialJob, withPassedRules } from '../../src/jobs/trials/run-trials.ts';
import { silentLogger } from '../../src/runtime/logger.ts';
import { RULES_UNDER_TEST } from '../../src/trade/rules/all-rules.ts';
import { quoteNo, type RuleUnderTest } from '../../src/trade/rules/rule.ts';
import { first } from '../support/first.ts';
import { evidenceOf } from '../support/priced-event.ts';
import {
  type Bench,
  eventOf,
  keepBenches,
  ORIGIN_TS,
  postOf,
  publisherOf,
  quoteOf,
  settlementOf,
} from './jobs-fixture.ts';

const { withHistory, running } = keepBenches();
const MIDNIGHT_TS = Date.UTC(2026, 2, 7);

/** Buys No of the first bucket every day at 00:00 UTC. */
const DAILY: RuleUnderTest = {
  name: 'daily',
  definition: 'buy No of the first bucket',
  parameters: {},
  eventsNeeded: 3,
  schedule: { daily: { hourUtc: 0 } },
  findBets({ buckets, mids }) {
    const quote = quoteNo(buckets[0]!, mids[0] ?? 0);
    return quote ? [{ bucketLabel: buckets[0]!.label, ...quote, said: 0.9 }] : [];
  },
};

function trialsOf(bench: Bench, rules: readonly RuleUnderTest[] = [DAILY]) {
  return createTrialJob({ ...bench, accountIds: ['a'], logger: silentLogger, rules });
}

function quoteFirst(bench: Bench, eventId: number) {
  const at = bench.clock.now();
  return bench.readQuotes([
    quoteOf(`${eventId}-0-yes`, 0.19, 0.21, at),
    quoteOf(`${eventId}-0-no`, 0.79, 0.81, at),
  ]);
}

describe('rules under test', () => {
  it('bet only on events that begin after registration, seal each bet, and settle it', async () => {
    const { bench } = await running(100);
    const trials = trialsOf(bench);
    await trials.runOnce();
    const later = eventOf(2, ORIGIN_TS + HOUR_MS, 7);
    await bench.listEvent(later);
    bench.clock.advance(MIDNIGHT_TS + 5 * MINUTE_MS - bench.clock.now());
    await quoteFirst(bench, 1);
    await quoteFirst(bench, 2);
    await publisherOf(bench).runOnce();
    await trials.runOnce();
    await trials.runOnce();
    const bet = first(await bench.store.trials.listBets());
    assert.equal((await bench.store.trials.listBets()).length, 1);
    assert.deepEqual(
      [bet.eventId, bet.side, bet.asofTs, bet.won],
      [2, 'No', MIDNIGHT_TS + 5 * MINUTE_MS, null],
    );
    const sealed = (await bench.store.seals.readOpen()).entries.map(({ entry }) => JSON.parse(entry));
    assert.deepEqual(
      sealed
        .filter(({ kind }) => kind === 'trial')
        .map(({ event, content }) => [event, content.rule ?? content.bucket]),
      [
        [0, 'daily'],
        [2, '0-19'],
      ],
    );
    bench.clock.advance(later.window.endTs + 7 * HOUR_MS - bench.clock.now());
    await bench.readOracle(2, 130);
    await settlementOf(bench).runOnce();
    const settled = first(await bench.store.trials.listBets({ eventId: 2 }));
    assert.equal(settled.won, true);
    assert.ok(Math.abs(settled.pnl! - (1 - bet.price - bet.spreadCost)) < 1e-6);
    await trials.judge();
    assert.equal((await bench.store.trials.list())[0]!.status, 'running');
    assert.deepEqual(trials.getPassed(), []);
  });

  it('advise only after a passed trial, and a changed rule starts a new one', async () => {
    const bench = await withHistory();
    const trials = trialsOf(bench);
    await trials.runOnce();
    const { hash: ruleHash } = trials.listRunning()[0]!;
    const base = { ruleHash, accountId: 'a', bucketLabel: '0-19', slot: 1, side: 'No' as const, said: 0.9 };
    const terms = { price: 0.7, spreadCost: 0.02, isRecomputed: false, won: true, pnl: 0.28, settledTs: 1 };
    await bench.store.trials.recordBets(
      [1, 2, 3].map((eventId) => ({ ...base, ...terms, eventId, asofTs: eventId, endTs: eventId })),
    );
    await trials.judge();
    const passed = first(trials.getPassed());
    assert.deepEqual(
      [passed.name, passed.events, (await bench.store.trials.list())[0]!.status],
      ['daily', 3, 'passed'],
    );
    assert.ok(passed.gainLow > 0.27);
    const evidence = evidenceOf(1);
    const read = withPassedRules(() => evidence, trials.getPassed);
    const joined = read()!;
    assert.deepEqual(joined.passedRules, [passed]);
    assert.equal(read(), joined);
    const changed = trialsOf(bench, [{ ...DAILY, eventsNeeded: 4 }]);
    await changed.runOnce();
    assert.deepEqual(changed.getPassed(), []);
    const third = trialsOf(bench, [{ ...DAILY, eventsNeeded: 5 }]);
    await third.runOnce();
    assert.deepEqual(
      (await bench.store.trials.list()).map(({ eventsNeeded, status }) => [eventsNeeded, status]).sort(),
      [
        [3, 'passed'],
        [4, 'withdrawn'],
        [5, 'running'],
      ],
    );
  });

  it('take fact bets at the book some seconds after the post that passed the bucket', async () => {
    const bench = await withHistory();
    const facts = RULES_UNDER_TEST.filter(({ name }) => name.startsWith('fact'));
    const trials = trialsOf(bench, facts);
    await trials.runOnce();
    bench.clock.advance(MINUTE_MS);
    await bench.listEvent(eventOf(2, bench.clock.now(), 7));
    const passedTs = bench.clock.now() + 20_000;
    await quoteFirst(bench, 2);
    await bench.capture(Array.from({ length: 20 }, (_, i) => postOf(passedTs - 19_000 + 1_000 * i)));
    bench.clock.advance(20_000 + 30_000);
    // The book catches up 30 s after the post.
    await bench.readQuotes([
      quoteOf('2-0-yes', 0.001, 0.01, bench.clock.now()),
      quoteOf('2-0-no', 0.98, 0.999, bench.clock.now()),
    ]);
    bench.clock.advance(6 * MINUTE_MS);
    await trials.runOnce();
    await trials.runOnce();
    const bet = first(await bench.store.trials.listBets());
    assert.equal((await bench.store.trials.listBets()).length, 1);
    assert.deepEqual(
      [bet.asofTs, bet.said, bet.ruleHash],
      [passedTs + 11_500, 0.995, trials.listRunning()[0]!.hash],
    );
    assert.ok(Math.abs(bet.price + bet.spreadCost - 0.8177) < 1e-3, String(bet.price + bet.spreadCost));
  });

  it('look back on earlier events: recomputed bets and the worth of speed', async () => {
    const { bench, event } = await running(48);
    bench.clock.advance(MIDNIGHT_TS - bench.clock.now());
    await quoteFirst(bench, 1);
    await publisherOf(bench).runOnce();
    const trials = trialsOf(bench);
    await trials.runOnce();
    bench.clock.advance(event.window.endTs + 7 * HOUR_MS - bench.clock.now());
    await bench.readOracle(1, 130);
    await settlementOf(bench).runOnce();
    const { startTs, endTs } = event.window;
    const trade = {
      ts: endTs + 2_000,
      bucket: 0,
      side: 'yes' as const,
      taker: 'buy' as const,
      price: 0.2,
      shares: 10,
    };
    const reading = { eventId: 1, readTs: bench.clock.now(), untilTs: endTs + DAY_MS, isWhole: true };
    await bench.store.past.putTrades({ ...reading, trades: [{ ...trade, ts: startTs }, trade] });
    const lookBack = () =>
      createLookBackJob({
        ...bench,
        accountIds: ['a'],
        logger: silentLogger,
        listRunning: trials.listRunning,
      });
    await lookBack().runOnce();
    const again = lookBack();
    await again.runOnce();
    const find = mock.method(bench.store.events, 'find');
    await again.runOnce();
    assert.equal(find.mock.callCount(), 0, 'a finished event is not read again');
    const bets = await bench.store.trials.listBets();
    assert.deepEqual(
      bets.map(({ isRecomputed, won }) => [isRecomputed, won]),
      [[true, true]],
    );
    const { worth } = first(await bench.store.trials.listSpeedWorths());
    assert.deepEqual([worth.events, Math.round(worth.usd[0]! * 100), worth.usd[5]], [1, 200, 2]);
    await trials.judge();
    assert.equal((await bench.store.trials.list())[0]!.status, 'running');
  });
});
