import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventOf, evidenceOf, pricedAt, RULES as SIZING } from '../../../test/support/priced-event.ts';
import { FIRST_VENUE } from '../../domain/contract.ts';
import type { RuleEvidence } from '../../domain/standing-advice.ts';
import { DAY_MS } from '../../domain/units.ts';
import { decideAccount } from '../advice/decide-account.ts';
import { findPastBets } from '../backtest/past-bets.ts';
import { RULES } from './all-rules.ts';
import { judgeRule, type SettledBet, summariseBets } from './judge.ts';
import { isChosenOn, toMoment } from './rule.ts';

const [noBelowBlend] = RULES as [(typeof RULES)[0]];
const WEEK = { startTs: 0, endTs: 7 * DAY_MS };

describe('rules', () => {
  it('have unique names', () => {
    assert.equal(new Set(RULES.map(({ name }) => name)).size, RULES.length);
  });

  it('are not judged by the events that they were chosen on', () => {
    const [span] = noBelowBlend.chosenOn;
    const event = { accountId: 'a', venue: FIRST_VENUE, endTs: span!.untilTs };
    assert.ok(isChosenOn(noBelowBlend, event));
    for (const other of [{ endTs: span!.untilTs + 1 }, { endTs: 0 }, { accountId: 'b' }, { venue: 'kalshi' }])
      assert.ok(!isChosenOn(noBelowBlend, { ...event, ...other }));
  });

  const LADDERS: readonly [string, [model: number, mid: number][], object, string[]][] = [
    [
      'buys No where the blend is 2 cents below the Yes midpoint',
      [
        [0.1, 0.3],
        [0.9, 0.7],
      ],
      {},
      ['0-19'],
    ],
    [
      'leaves gaps below 2 cents',
      [
        [0.28, 0.3],
        [0.72, 0.7],
      ],
      {},
      [],
    ],
    [
      'leaves Yes midpoints below 10 cents',
      [
        [0.01, 0.09],
        [0.99, 0.91],
      ],
      {},
      [],
    ],
    [
      'leaves Yes midpoints above 56 cents',
      [
        [0.7, 0.43],
        [0.3, 0.57],
      ],
      {},
      [],
    ],
    [
      'leaves events that are not weekly',
      [
        [0.1, 0.3],
        [0.9, 0.7],
      ],
      { endTs: 2 * DAY_MS },
      [],
    ],
  ];
  for (const [name, ladder, window, expected] of LADDERS) {
    it(`no-below-blend ${name}`, () => {
      const buckets = ladder.map(([model, mid], i) => pricedAt(20 * i, model, mid));
      const bets = noBelowBlend.findBets(toMoment({ ...WEEK, ...window, buckets }, DAY_MS));
      assert.deepEqual(
        bets.map(({ bucketLabel }) => bucketLabel),
        expected,
      );
    });
  }

  it('no-below-blend states price, costs and probability of the No share', () => {
    const buckets = [pricedAt(0, 0.1, 0.3), pricedAt(20, 0.9, 0.7)];
    const [bet] = noBelowBlend.findBets(toMoment({ ...WEEK, buckets }, DAY_MS));
    assert.equal(bet!.side, 'No');
    assert.ok(Math.abs(bet!.price - 0.7) < 1e-9);
    // One cent of half-spread, and a fee of 5 % of 0.71 * 0.29.
    assert.ok(Math.abs(bet!.spreadCost - 0.010_295 - 0.01) < 1e-6, String(bet!.spreadCost));
    assert.ok(bet!.said > 0.72 && bet!.said < 0.9);
  });

  it('look once a day at the forecasts and prices of a settled ladder', () => {
    const buckets = [pricedAt(0, 0.1, 0.3), pricedAt(20, 0.9, 0.7)].map((bucket) => ({
      ...{ ...bucket, marketId: '', conditionId: '', listedPrice: null },
    }));
    const ladder = { eventId: 1, accountId: 'b', venue: FIRST_VENUE, window: WEEK, buckets, winner: 1 };
    const points = [1, 1.01, 1.5, 2].map((days) => ({
      ...{ asofTs: days * DAY_MS, bucketProbabilities: [0.1, 0.9], marketPrices: [0.3, 0.7] },
    }));
    const bets = findPastBets(noBelowBlend, ladder, points);
    assert.deepEqual(
      bets.map(({ bucketLabel, won, endTs }) => [bucketLabel, won, endTs]),
      [1, 2].map(() => ['0-19', true, WEEK.endTs]),
    );
  });
});

describe('advice from a rule', () => {
  const buckets = [pricedAt(0, 0.1, 0.3), pricedAt(20, 0.9, 0.7)];
  const none = summariseBets([]);
  const proven: RuleEvidence = {
    ...{ rule: 'no-below-blend', venue: FIRST_VENUE, recomputed: none, forward: { ...none, events: 40 } },
    ...{ events: 58, weeks: 30, gainLow: 0.03, mayAdvise: true },
  };

  /** Half an hour after midnight, or later, with evidence that gives the model no weight. */
  function adviseAt(minutes: number, change: Partial<RuleEvidence> | null) {
    const secondsRemaining = 5 * 86_400 - minutes * 60;
    const evidence = { ...evidenceOf(0), ...(change && { rules: [{ ...proven, ...change }] }) };
    const event = eventOf(buckets, { ...WEEK, secondsRemaining, evidence });
    return decideAccount([event], SIZING, 0).events[0]!.buckets[0]!;
  }

  it('buys as kind model, bounded by the results, and names the rule and its events', () => {
    const { decision, edge } = adviseAt(30, {});
    assert.deepEqual([decision.kind, decision.edgeKind], ['buy-no', 'model']);
    assert.match(decision.reasons.join(), /rule no-below-blend earned money after costs on 58 events/);
    assert.ok(Math.abs(1 - edge.upper - decision.price!.netPrice - 0.03) < 1e-6);
    assert.ok(decision.kellyFraction > 0);
  });

  it('is capped at a tenth of full Kelly before 40 forward events', () => {
    const few = adviseAt(30, { forward: { ...none, events: 39 } }).decision;
    assert.ok(few.kellyFraction < adviseAt(30, {}).decision.kellyFraction);
    assert.match(few.reasons.join(), /stake: 10% of full Kelly/);
  });

  it('is absent without permission, outside the hour, and on another venue', () => {
    const others = [null, { mayAdvise: false }, { venue: 'kalshi' }, { rule: 'other' }];
    for (const { decision } of [...others.map((change) => adviseAt(30, change)), adviseAt(90, {})])
      assert.equal(decision.kind, 'nothing');
  });
});

/** One bet on each event, one a week; event k wins unless it is in `lost`. */
function season(count: number, lost: readonly number[], daysApart = 7) {
  return Array.from({ length: count }, (_, k): SettledBet & { isRecomputed: boolean } => ({
    ...{ eventId: k, endTs: k * daysApart * DAY_MS, bucketLabel: '0-19', side: 'No', won: !lost.includes(k) },
    ...{ price: 0.5, spreadCost: 0.02, said: 0.6, isRecomputed: k % 2 === 0 },
  }));
}

describe('permission', () => {
  it('rests on stated probability, price and share won per settled bet', () => {
    const result = summariseBets(season(4, [0]));
    assert.deepEqual([result.bets, result.events, result.said, result.came], [4, 4, 0.6, 0.75]);
    assert.ok(Math.abs(result.gain! - 0.23) < 1e-9 && result.gainInterval!.lo < 0);
  });

  it('needs 20 events, 8 weeks, and an interval above zero, recomputed or forward', () => {
    assert.equal(judgeRule(season(19, [])).mayAdvise, false);
    assert.equal(judgeRule(season(20, [1, 2])).mayAdvise, true);
    assert.equal(judgeRule(season(20, [1, 2], 2)).weeks, 6);
    assert.equal(judgeRule(season(20, [1, 2], 2)).mayAdvise, false);
    assert.equal(judgeRule(season(20, [1, 2, 3, 4, 5, 6, 7])).mayAdvise, false);
    const { recomputed, forward } = judgeRule(season(21, []));
    assert.deepEqual([recomputed.events, forward.events], [11, 10]);
  });

  it('resamples events, not bets', () => {
    const events = season(10, [1]);
    const repeated = events.flatMap((bet) => [bet, bet, bet, bet]);
    assert.deepEqual(summariseBets(repeated).gainInterval, summariseBets(events).gainInterval);
  });
});
