import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bucketOf, eventOf, evidenceOf, pricedAt, RULES } from '../../../test/support/priced-event.ts';
import { DAY_MS } from '../../domain/units.ts';
import { buildAccountSignals } from '../advice/signals.ts';
import { RULES_UNDER_TEST } from './all-rules.ts';
import { hashRule, toMoment } from './rule.ts';
import { countEventsForPower, judgeTrial, summariseBets, type TrialBet } from './trial.ts';

const byName = (name: string) => RULES_UNDER_TEST.find((rule) => rule.name === name)!;
const WEEK = { startTs: 0, endTs: 7 * DAY_MS };

describe('rules under test', () => {
  it('have unique names, and a hash that follows every part of the definition', () => {
    assert.equal(new Set(RULES_UNDER_TEST.map(({ name }) => name)).size, RULES_UNDER_TEST.length);
    const rule = RULES_UNDER_TEST[0]!;
    const changes = [
      { name: 'other' },
      { definition: 'other' },
      { parameters: { ...rule.parameters, minGap: 0.03 } },
      { eventsNeeded: 57 },
    ];
    assert.equal(new Set([rule, ...changes.map((c) => ({ ...rule, ...c }))].map(hashRule)).size, 5);
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
      const bets = byName('no-below-blend').findBets(toMoment({ ...WEEK, ...window, buckets }, DAY_MS));
      assert.deepEqual(
        bets.map(({ bucketLabel }) => bucketLabel),
        expected,
      );
    });
  }

  it('no-below-blend states price, costs and probability of the No share', () => {
    const buckets = [pricedAt(0, 0.1, 0.3), pricedAt(20, 0.9, 0.7)];
    const [bet] = byName('no-below-blend').findBets(toMoment({ ...WEEK, buckets }, DAY_MS));
    assert.equal(bet!.side, 'No');
    assert.ok(Math.abs(bet!.price - 0.7) < 1e-9);
    // One cent of half-spread, and a fee of 5 % of 0.71 * 0.29.
    assert.ok(Math.abs(bet!.spreadCost - 0.010_295 - 0.01) < 1e-6, String(bet!.spreadCost));
    assert.ok(bet!.said > 0.72 && bet!.said < 0.9);
  });

  it('a fact rule buys No of a passed bucket once its delay is over and while it is cheap', () => {
    const buckets = [pricedAt(0, 0, 0.2), pricedAt(20, 0, 0.012), bucketOf(40, 1)];
    const at = (passedTs: number | null) =>
      byName('fact-11.5-s').findBets(toMoment({ ...WEEK, buckets }, 11_500, [passedTs, 0, null]));
    assert.deepEqual(
      at(0).map(({ bucketLabel, said }) => [bucketLabel, said]),
      [['0-19', 0.995]],
    );
    assert.deepEqual([at(1), at(null)], [[], []]);
  });
});

describe('advice from a passed rule', () => {
  const buckets = [pricedAt(0, 0.1, 0.3), pricedAt(20, 0.9, 0.7)];
  const hash = hashRule(byName('no-below-blend'));
  const passed = { name: 'no-below-blend', hash, events: 58, gainLow: 0.03 };

  /** Half an hour after midnight, or later, with evidence that gives the model no weight. */
  function adviseAt(minutes: number, change: Partial<typeof passed> | null) {
    const secondsRemaining = 5 * 86_400 - minutes * 60;
    const evidence = { ...evidenceOf(0), ...(change && { passedRules: [{ ...passed, ...change }] }) };
    const event = eventOf(buckets, { ...WEEK, secondsRemaining, evidence });
    const [signals] = buildAccountSignals([event], 1_000, RULES, 0);
    return signals!.signals.find(({ bucketLabel }) => bucketLabel === '0-19')!.verdict;
  }

  it('buys as kind model, bounded by the trial, and names the rule and its events', () => {
    const verdict = adviseAt(30, {});
    assert.deepEqual([verdict.kind, verdict.edgeKind], ['buy-no', 'model']);
    assert.match(verdict.sentence, /rule no-below-blend passed its trial on 58 events/);
    assert.ok(Math.abs(verdict.winProbabilityLow - verdict.costPerShare! - 0.03) < 1e-6);
    assert.ok(verdict.stakeUsd > 0);
  });

  it('is absent without a passed trial, outside the tested hour, and for a rule that has changed', () => {
    for (const verdict of [adviseAt(30, null), adviseAt(90, {}), adviseAt(30, { hash: 'other' })])
      assert.equal(verdict.kind, 'nothing');
  });
});

/** One bet on each event; event k wins unless it is in `lost`. */
function season(count: number, lost: readonly number[], change: Partial<TrialBet> = {}): TrialBet[] {
  return Array.from({ length: count }, (_, k) => {
    const won = !lost.includes(k);
    const bet = { eventId: k, endTs: k * DAY_MS, price: 0.5, spreadCost: 0.02, said: 0.6, won };
    return { ...bet, pnl: (won ? 1 : 0) - 0.52, ...change };
  });
}

describe('trial', () => {
  const now = 1_000 * DAY_MS;

  it('reports stated probability, price and share won, per settled bet', () => {
    const result = summariseBets([...season(4, [0]), ...season(1, [], { eventId: 9, won: null, pnl: null })]);
    assert.deepEqual([result.bets, result.events, result.said, result.came], [4, 4, 0.6, 0.75]);
    assert.ok(Math.abs(result.gain! - 0.23) < 1e-9 && result.gainInterval!.lo < 0);
  });

  it('runs until the needed events have settled, then passes or fails once', () => {
    assert.equal(judgeTrial(season(9, []), 10, now).status, 'running');
    assert.equal(judgeTrial(season(10, [1]), 10, now).status, 'passed');
    assert.equal(judgeTrial(season(10, [1, 4, 5]), 10, now).status, 'failed');
    // Later events do not change the decision.
    assert.equal(
      judgeTrial([...season(10, [1]), ...season(40, range(10, 40)).slice(10)], 10, now).status,
      'passed',
    );
  });

  it('waits for an unsettled event, but not for one that never settles', () => {
    const bets = season(11, []).map((bet) => (bet.eventId === 3 ? { ...bet, won: null, pnl: null } : bet));
    assert.equal(judgeTrial(bets, 10, 12 * DAY_MS).status, 'running');
    assert.equal(judgeTrial(bets, 10, now).status, 'passed');
  });

  it('resamples events, not bets', () => {
    const events = season(10, [1]);
    const repeated = events.flatMap((bet) => [bet, bet, bet, bet]);
    assert.deepEqual(summariseBets(repeated).gainInterval, summariseBets(events).gainInterval);
  });

  it('needs more events for a smaller gain, and no number shows a loss to be a gain', () => {
    const strong = countEventsForPower(season(20, [1, 2]))!;
    assert.ok(strong < countEventsForPower(season(20, [1, 2, 3]))!);
    assert.equal(countEventsForPower(season(20, range(0, 10))), null);
  });
});

function range(from: number, until: number): number[] {
  return Array.from({ length: until - from }, (_, i) => from + i);
}
