import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { first } from '../../../test/support/first.ts';
import {
  bucketOf,
  eventOf,
  fiveBuckets,
  positionOf,
  pricedAt,
  quoteOf,
  RULES,
} from '../../../test/support/priced-event.ts';
import { buildAccountSignals } from '../advice/signals.test-support.ts';
import { computeEdgePercent } from '../cost.ts';
import type { PricedEvent } from '../types.ts';
import {
  classifyPositionSignal,
  classifyRecommendation,
  createHolderSignals,
  valuePortfolio,
} from './portfolio.ts';
import { rebalancePositions } from './rebalance.ts';

const event = fiveBuckets();

function adviseFor(events: readonly PricedEvent[], bankrollUsd: number) {
  return { bankrollUsd, signals: buildAccountSignals(events, bankrollUsd, RULES), rules: RULES };
}

const SIGNALS = ['SELL', 'AVOID', 'HOLD', 'BUY', 'STRONG_BUY'];
const RECOMMENDATIONS = ['CONSIDER_SELLING', 'MONITOR', 'HOLD', 'STRONG_HOLD'];
const finite = fc.double({ min: -200, max: 200, noNaN: true });

describe('position tables', () => {
  it('move to the next row just above a boundary', () => {
    assert.deepEqual(
      [-4.9, 5.1, 20.0000001].map((points) => classifyRecommendation(points / 100)),
      ['MONITOR', 'HOLD', 'STRONG_HOLD'],
    );
    assert.deepEqual([-9.9, 0.0003, 10.1, 30.02].map(classifyPositionSignal), [
      'AVOID',
      'HOLD',
      'BUY',
      'STRONG_BUY',
    ]);
  });

  it('are exact at every boundary for every whole-cent price', () => {
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
    assert.match(
      adviceOn(uncertain, '200-219').sentence,
      /sells for 97\.9¢ after the fee and is worth 97¢, plausibly up to 100¢/,
    );
  });

  it('calls Yes shares of a passed bucket lost, and No shares kept', () => {
    const passed = eventOf([bucketOf(200, 0, { isOpen: false }), pricedAt(220, 1, 0.9)], { realCount: 230 });
    const fact = 'the count is 230, already above 219';
    assert.equal(adviceOn(passed, '200-219').sentence, `Lost: ${fact}`);
    assert.equal(adviceOn(passed, '200-219', 'No').sentence, `Keep: ${fact}`);
  });

  it('says why shares worth keeping are reduced to a small bankroll', () => {
    const of = heldAt(0.98);
    const signalFor = createHolderSignals([of], adviseFor([of], 10).signals);
    const held = [positionOf('yes-200', 100)];
    const position = first(first(valuePortfolio([of], held, adviseFor([of], 10))).positions);
    assert.equal(position.sizing!.action, 'TRIM');
    assert.equal(
      signalFor(position)!.verdict.sentence,
      'Reduce: the positions to keep are worth more than the bankroll, so all are reduced to it',
    );
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

  it('treats a Yes and No pair in one bucket as cash', () => {
    const both = [positionOf('yes-240', 100), positionOf('no-240', 100, { side: 'No' })];
    const { positions: advice } = first(rebalancePositions([event], both, adviseFor([event], 1000), 100));
    assert.deepEqual(advice, []);
  });
});
