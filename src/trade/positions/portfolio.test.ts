import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { first } from '../../../test/support/first.ts';
import { bucketOf, eventOf, positionOf, pricedAt, quoteOf } from '../../../test/support/priced-event.ts';
import { profileOfLetter } from '../../domain/account-profile.ts';
import { buildAccountSignals } from '../advice/signals.ts';
import { computeEdgePercent } from '../cost.ts';
import { getSizingRules } from '../sizing/sizing-rules.ts';
import type { PricedEvent } from '../types.ts';
import {
  classifyPositionSignal,
  classifyRecommendation,
  createHolderSignals,
  valuePortfolio,
} from './portfolio.ts';
import { rebalancePositions } from './rebalance.ts';

const RULES = getSizingRules(profileOfLetter('a'));

const event = eventOf([
  pricedAt(200, 0.12, 0.1),
  pricedAt(220, 0.25, 0.24),
  pricedAt(240, 0.42, 0.3),
  pricedAt(260, 0.16, 0.24),
  pricedAt(280, 0.05, 0.06, { hi: null, label: '280+' }),
]);

function adviseFor(events: readonly PricedEvent[], bankrollUsd: number) {
  return { bankrollUsd, signals: buildAccountSignals(events, bankrollUsd, RULES), rules: RULES };
}

describe('position table', () => {
  const edges: [number, number, string][] = [
    [0.55, 0.35, 'HOLD'],
    [0.550000001, 0.35, 'STRONG_HOLD'],
    [0.9, 0.7, 'HOLD'],
    [0.3, 0.1, 'HOLD'],
    [0.45, 0.4, 'MONITOR'],
    [0.15, 0.1, 'MONITOR'],
    [0.451, 0.4, 'HOLD'],
    [0.1, 0.15, 'CONSIDER_SELLING'],
    [0.65, 0.7, 'CONSIDER_SELLING'],
    [0.651, 0.7, 'MONITOR'],
  ];
  for (const [p, price, recommendation] of edges) {
    it(`recommends ${recommendation} for a probability of ${p} at a price of ${price}`, () => {
      assert.equal(classifyRecommendation(p - price), recommendation);
    });
  }

  const percents: [number, number, string][] = [
    [0.65, 0.5, 'BUY'],
    [0.91, 0.7, 'BUY'],
    [0.13, 0.1, 'BUY'],
    [0.78, 0.6, 'BUY'],
    [0.6501, 0.5, 'STRONG_BUY'],
    [0.77, 0.7, 'HOLD'],
    [0.33, 0.3, 'HOLD'],
    [0.11, 0.1, 'HOLD'],
    [0.1101, 0.1, 'BUY'],
    [0.3, 0.3, 'AVOID'],
    [0.300001, 0.3, 'HOLD'],
    [0.27, 0.3, 'SELL'],
    [0.63, 0.7, 'SELL'],
    [0.09, 0.1, 'SELL'],
    [0.0901, 0.1, 'AVOID'],
  ];
  for (const [p, price, signal] of percents) {
    it(`signals ${signal} for a probability of ${p} at a price of ${price}`, () => {
      assert.equal(classifyPositionSignal(computeEdgePercent(p - price, price)), signal);
    });
  }

  it('is exact at every boundary for every whole-cent price', () => {
    for (let price = 10; price <= 70; price += 10) {
      const at = (percent: number) =>
        classifyPositionSignal(
          computeEdgePercent((price * (100 + percent)) / 1e4 - price / 100, price / 100),
        );
      assert.deepEqual([at(30), at(10), at(0), at(-10)], ['BUY', 'HOLD', 'AVOID', 'SELL'], `price ${price}`);
    }
    for (let price = 6; price <= 79; price++) {
      const at = (cents: number) => classifyRecommendation((price + cents) / 100 - price / 100);
      assert.deepEqual([at(20), at(5), at(-5)], ['HOLD', 'MONITOR', 'CONSIDER_SELLING'], `price ${price}`);
    }
  });

  it('uses the market price itself for the percentage, however low, and has no percentage at 0', () => {
    assert.equal(computeEdgePercent(-0.000238, 0.0005), -47.6);
    assert.equal(computeEdgePercent(0.0002, 0), 0);
  });
});

describe('portfolio', () => {
  it('values a Yes holding at the market price', () => {
    const element = first(valuePortfolio([event], [positionOf('yes-240', 100)], null));
    const position = first(element.positions);
    assert.equal(position.currentPrice, 0.3);
    assert.equal(position.currentValueUsd, 30);
    assert.equal(position.pnlUsd, 5);
    assert.equal(position.pnlPercent, 20);
    assert.equal(position.edge, 0.12);
    assert.equal(position.edgePercent, 40);
    assert.equal(position.signal, 'STRONG_BUY');
    assert.equal(position.recommendation, 'HOLD');
    assert.equal('sizing' in position, false);
    assert.deepEqual(element.totals, {
      totalPositions: 1,
      totalCostUsd: 25,
      currentValueUsd: 30,
      totalPnlUsd: 5,
      totalPnlPercent: 20,
    });
  });

  it('values a No holding at the No price', () => {
    const position = positionOf('no-240', 100, { side: 'No', costUsd: 60, avgPrice: 0.6 });
    const valued = valuePortfolio([event], [position], null)[0]!.positions[0]!;
    assert.equal(valued.winProbability, 0.58);
    assert.equal(valued.marketImplied, 0.7);
    assert.equal(valued.edge, -0.12);
    assert.equal(valued.side, 'No');
    assert.equal(valued.signal, 'SELL');
  });

  it('omits other markets and has one element per event', () => {
    const elements = valuePortfolio(
      [event, { ...event, eventId: 2, buckets: [] }],
      [positionOf('other', 10)],
      adviseFor([event], 500),
    );
    assert.deepEqual(
      elements.map((e) => [e.eventId, e.positions.length, e.totals.totalPnlPercent]),
      [
        [1, 0, 0],
        [2, 0, 0],
      ],
    );
  });

  it('handles dust, free shares and a worthless redeemable side', () => {
    const dead = eventOf([
      bucketOf(200, 0, { isOpen: false, marketPrice: 0, yesQuote: null, noQuote: null }),
      ...event.buckets.slice(1, 4),
      pricedAt(280, 0.17, 0.17, { hi: null, label: '280+' }),
    ]);
    const positions = [
      positionOf('yes-200', 50, { isRedeemable: true, costUsd: 10 }),
      positionOf('yes-220', 0.000001, { costUsd: 0 }),
      positionOf('yes-240', 0),
    ];
    const element = first(valuePortfolio([dead], positions, adviseFor([dead], 1000)));
    assert.equal(element.positions.length, 2);
    for (const position of element.positions) {
      for (const value of Object.values(position))
        assert.ok(typeof value !== 'number' || Number.isFinite(value));
      assert.equal(position.sizing?.action, 'HOLD');
    }
    assert.equal(element.positions[0]!.signal, 'AVOID');
  });

  it('includes sizing only if a bankroll is given', () => {
    const element = first(valuePortfolio([event], [positionOf('yes-240', 10)], adviseFor([event], 1000)));
    const valued = first(element.positions);
    assert.equal(valued.sizing?.action, 'ADD_MORE');
    assert.ok(valued.sizing!.targetValueUsd > 3 && valued.sizing!.targetValueUsd < 60);
  });
});

describe('advice for a holder', () => {
  const adviceOn = (of: PricedEvent, bucketLabel: string, side: 'Yes' | 'No' = 'Yes') => {
    const signalFor = createHolderSignals([of], adviseFor([of], 1000).signals);
    return signalFor({ eventId: 1, bucketLabel, side })!.verdict;
  };
  const heldAt = (bid: number | null, p = 0.99, change: Partial<PricedEvent> = {}) =>
    eventOf(
      [
        pricedAt(180, 1 - p, 0.02, { noQuote: null }),
        bucketOf(200, p, { marketPrice: 0.98, yesQuote: quoteOf('yes-200', bid, null), noQuote: null }),
      ],
      change,
    );

  it('gives the reason to keep the shares, not the reason to buy none', () => {
    const { kind, sentence, abstainReason, reasons } = adviceOn(heldAt(0.98), '200-219');
    assert.equal(kind, 'nothing');
    assert.equal(sentence, 'Keep: a share sells for 97.9¢ after the fee and is worth 99¢');
    assert.deepEqual([abstainReason], reasons);
    assert.match(adviceOn(heldAt(null), '200-219').sentence, /^Keep: no buyers \(no bid\)$/);
    const uncertain = heldAt(0.98, 0.97, { modelSd: 0.1 });
    assert.match(adviceOn(uncertain, '200-219').sentence, /sells for 97\.9¢ after the fee and may be worth/);
  });

  it('uses the No book for a No holding', () => {
    const held = pricedAt(200, 0.3, 0.3);
    const { sentence } = adviceOn(eventOf([held, pricedAt(220, 0.7, 0.7)]), '200-219', 'No');
    assert.equal(sentence, 'Keep: a share sells for 67.93¢ after the fee and is worth 70¢');
  });

  it('is unchanged for a trade, and while a feed is stale', () => {
    const { signals } = adviseFor([event], 1000).signals[0]!;
    for (const { bucketLabel, verdict } of signals.filter(({ verdict: one }) => one.kind !== 'nothing'))
      assert.deepEqual(adviceOn(event, bucketLabel), verdict);
    const stale = { ...event, blindness: 'prices stale for 5 min' };
    assert.equal(adviceOn(stale, '220-239').sentence, 'Prices stale for 5 min');
  });
});

describe('rebalancing', () => {
  const positions = [
    positionOf('yes-240', 10),
    positionOf('yes-260', 1_000),
    positionOf('yes-220', 30),
    positionOf('no-200', 400, { side: 'No' }),
  ];

  it('adds to cheap positions, trims expensive ones, and leaves the rest', () => {
    const { positions: advice } = first(rebalancePositions([event], positions, adviseFor([event], 1500), 5));
    const actionOf = (token: string) => advice.find((a) => a.tokenId === token)?.action;
    assert.equal(actionOf('yes-240'), 'ADD_MORE');
    assert.equal(actionOf('yes-260'), 'TRIM');
    assert.equal(actionOf('yes-220'), undefined);
    for (const a of advice) {
      assert.ok(a.adjustmentUsd >= 5 && a.adjustmentShares > 0);
      assert.ok(Math.abs(Math.abs(a.targetValueUsd - a.currentValueUsd) - a.adjustmentUsd) < 0.02);
      assert.match(a.reasons.join(';'), /you hold .* the target is/);
    }
  });

  it('drops adjustments below the threshold', () => {
    const all = rebalancePositions([event], positions, adviseFor([event], 1500), 1)[0]!.positions;
    const most = Math.max(...all.map((a) => a.adjustmentUsd));
    const atMost = rebalancePositions([event], positions, adviseFor([event], 1500), most)[0]!.positions;
    assert.deepEqual(
      atMost.map((a) => a.adjustmentUsd),
      [most],
    );
    assert.deepEqual(
      rebalancePositions([event], positions, adviseFor([event], 1500), most + 0.01)[0]!.positions,
      [],
    );
  });

  it('advises nothing once its advice has been followed', () => {
    const { positions: advice } = first(rebalancePositions([event], positions, adviseFor([event], 1500), 1));
    const followed = positions.map((position) => {
      const change = advice.find((a) => a.tokenId === position.tokenId);
      const signed = (change?.adjustmentShares ?? 0) * (change?.action === 'TRIM' ? -1 : 1);
      return { ...position, shares: position.shares + signed };
    });
    const again = rebalancePositions([event], followed, adviseFor([event], 1500), 5)[0]!.positions;
    assert.deepEqual(again, []);
  });

  it('sells a whole position in a dead bucket at the bid', () => {
    const dead = eventOf([
      bucketOf(200, 0, { marketPrice: 0.015, yesQuote: quoteOf('yes-200', 0.01, 0.02) }),
      ...event.buckets.slice(1),
    ]);
    const { positions: advice } = first(
      rebalancePositions([dead], [positionOf('yes-200', 1_000)], adviseFor([dead], 1000), 5),
    );
    assert.equal(advice[0]!.action, 'TRIM');
    assert.equal(advice[0]!.targetValueUsd, 0);
  });

  it('trims a wallet worth more than the bankroll', () => {
    const { positions: advice } = first(
      rebalancePositions([event], [positionOf('yes-240', 5_000)], adviseFor([event], 100), 5),
    );
    assert.equal(advice[0]!.action, 'TRIM');
    assert.ok(advice[0]!.targetValueUsd <= 100);
  });

  it('treats a Yes and No pair in one bucket as cash', () => {
    const both = [positionOf('yes-240', 100), positionOf('no-240', 100, { side: 'No' })];
    const { positions: advice } = first(rebalancePositions([event], both, adviseFor([event], 1000), 100));
    assert.deepEqual(advice, []);
  });

  it('sizes two events on common paths without spending the bankroll twice', () => {
    const finals = Array.from({ length: 300 }, (_, i) => 200 + (i % 100));
    const twins = [{ ...event, finals }, retoken({ ...event, eventId: 2, finals })];
    const [alone, both] = [[event], twins].map((events) =>
      adviseFor(events, 1e6).signals.reduce(
        (sum, { signals }) =>
          sum + signals.find(({ bucketLabel }) => bucketLabel === event.buckets[2]!.label)!.kellyFraction,
        0,
      ),
    );
    assert.ok(alone! > 0.01);
    assert.ok(Math.abs(both! - alone!) < 1e-6, `${both} against ${alone}`);
  });
});

function retoken(of: typeof event): typeof event {
  return {
    ...of,
    buckets: of.buckets.map((b) => ({
      ...b,
      yesTokenId: `second-${b.yesTokenId}`,
      noTokenId: `second-${b.noTokenId}`,
    })),
  };
}

const SIGNALS = ['SELL', 'AVOID', 'HOLD', 'BUY', 'STRONG_BUY'];
const RECOMMENDATIONS = ['CONSIDER_SELLING', 'MONITOR', 'HOLD', 'STRONG_HOLD'];
const finite = fc.double({ min: -200, max: 200, noNaN: true });

describe('position tables', () => {
  it('assign each boundary to the row below it', () => {
    assert.deepEqual([30, 10, 0, -10].map(classifyPositionSignal), ['BUY', 'HOLD', 'AVOID', 'SELL']);
    assert.deepEqual([0.2, 0.05, -0.05].map(classifyRecommendation), ['HOLD', 'MONITOR', 'CONSIDER_SELLING']);
  });

  it('are not moved across a boundary by binary error', () => {
    assert.equal(classifyPositionSignal(30 + 1e-12), 'BUY');
    assert.equal(classifyRecommendation(0.55 - 0.35), 'HOLD');
  });

  it('are monotone in the edge', () => {
    fc.assert(
      fc.property(finite, finite, (x, y) => {
        const [less, more] = [Math.min(x, y), Math.max(x, y)];
        const signal = (edge: number) => SIGNALS.indexOf(classifyPositionSignal(edge));
        const advice = (edge: number) => RECOMMENDATIONS.indexOf(classifyRecommendation(edge / 100));
        assert.ok(signal(less) <= signal(more));
        assert.ok(advice(less) <= advice(more));
      }),
    );
  });
});
