import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { first } from '../../../test/support/first.ts';
import { eventOf, pricedAt, RULES } from '../../../test/support/priced-event.ts';
import type { BucketSignal, PricedEvent } from '../types.ts';
import { buildAccountSignals } from './signals.test-support.ts';
import {
  findBuyStrategies,
  findSellStrategies,
  findSingleBucket,
  findTwoBucket,
  passesGate,
} from './strategies.ts';

/** The median falls in the second bucket. */
function pairAt(lower: number, median: number, prices: [number, number]): PricedEvent {
  return eventOf(
    [
      pricedAt(200, lower, prices[0]),
      pricedAt(220, median, prices[1]),
      pricedAt(240, 1 - lower - median, 0.05),
    ],
    { p50: 225 },
  );
}

function entriesOf(
  event: PricedEvent,
  bankrollUsd = 10_000,
  signals: readonly BucketSignal[] = first(buildAccountSignals([event], bankrollUsd, RULES)).signals,
) {
  return findBuyStrategies(event, signals, bankrollUsd, RULES.kellyLambda, RULES);
}

describe('TWO_BUCKET', () => {
  it("is the median's bucket and the one below it, in equal shares", () => {
    const basket = findTwoBucket(pairAt(0.3, 0.65, [0.2, 0.5]), RULES)!;
    assert.deepEqual(
      basket.buckets.map(({ lo }) => lo),
      [220, 200],
    );
    assert.equal(basket.winProbability, 0.95);
    assert.ok(basket.costPerSet > 0.21 + 0.51);
  });

  it('is unavailable for the bottom bucket, above a passed bucket, or if either bucket cannot be bought', () => {
    assert.equal(findTwoBucket({ ...pairAt(0.3, 0.65, [0.2, 0.5]), p50: 210 }, RULES), null);
    assert.equal(findTwoBucket(pairAt(0, 0.95, [0.05, 0.5]), RULES), null);
    const event = pairAt(0.3, 0.65, [0.2, 0.5]);
    const [lower, ...rest] = event.buckets;
    assert.equal(findTwoBucket({ ...event, buckets: [{ ...lower!, yesQuote: null }, ...rest] }, RULES), null);
  });
});

describe('SINGLE_BUCKET', () => {
  it('is the most probable bucket', () => {
    assert.equal(findSingleBucket(pairAt(0.3, 0.65, [0.2, 0.5]), RULES)!.buckets[0]!.lo, 220);
    assert.equal(findSingleBucket(eventOf([]), RULES), null);
  });
});

describe('gate', () => {
  const basket = findSingleBucket(pairAt(0.1, 0.8, [0.1, 0.6]), RULES)!;

  it('opens at its thresholds but not below', () => {
    const gate = { minWinProbability: 0.8, minEv: 0, maxStakeFraction: 0.02 };
    assert.ok(passesGate(basket, gate));
    assert.ok(!passesGate(basket, { ...gate, minWinProbability: 0.8001 }));
    assert.ok(!passesGate(basket, { ...gate, minEv: basket.winProbability / basket.costPerSet }));
  });

  it('stays closed for a set that costs as much as it pays', () => {
    assert.ok(
      !passesGate({ ...basket, costPerSet: 1 }, { minWinProbability: 0, minEv: -1, maxStakeFraction: 1 }),
    );
  });
});

describe('entries', () => {
  it('stake no more than the gate allows, in whole cents, for lots the market accepts', () => {
    const share = fc.double({ min: 0.75, max: 0.98, noNaN: true });
    const bankrolls = fc.integer({ min: 1, max: 1_000_000 });
    fc.assert(
      fc.property(share, fc.integer({ min: 30, max: 90 }), bankrolls, (median, priceCents, bankrollUsd) => {
        const event = pairAt((1 - median) / 2, median, [0.05, priceCents / 100]);
        for (const { strategy, stakeFraction, suggestedBetUsd } of entriesOf(event, bankrollUsd)) {
          const gate = strategy === 'TWO_BUCKET' ? RULES.twoBucket : RULES.singleBucket;
          assert.ok(stakeFraction <= gate.maxStakeFraction);
          assert.ok(suggestedBetUsd >= 1 && suggestedBetUsd <= stakeFraction * bankrollUsd + 1e-9);
          assert.ok(Math.abs(suggestedBetUsd * 100 - Math.round(suggestedBetUsd * 100)) < 1e-6);
        }
      }),
    );
  });

  it('are offered for a cheap, clear favourite unless the bankroll is too small for a lot', () => {
    const event = pairAt(0.1, 0.85, [0.05, 0.6]);
    assert.deepEqual(
      entriesOf(event).map(({ strategy }) => strategy),
      ['TWO_BUCKET', 'SINGLE_BUCKET'],
    );
    assert.deepEqual(entriesOf(event, 10), []);
  });

  it('never buy a bucket that the verdict would sell', () => {
    const event = pairAt(0.1, 0.85, [0.3, 0.6]);
    const { signals } = first(buildAccountSignals([event], 10_000, RULES));
    const lower = signals.find(({ bucketLabel }) => bucketLabel === '200-219')!;
    assert.ok(['exit', 'buy-no'].includes(lower.verdict.kind));
    assert.ok(entriesOf(event, 10_000, signals).every(({ buckets }) => !buckets.includes('200-219')));
  });
});

describe('RISK_MANAGEMENT', () => {
  it('has one zero-stake entry per SELL, which wins when the bucket loses', () => {
    const event = pairAt(0.2, 0.75, [0.4, 0.74]);
    const { signals } = first(buildAccountSignals([event], 1_000, RULES));
    const selling = signals.filter(({ action }) => action === 'SELL');
    const entries = findSellStrategies(signals);
    assert.equal(entries.length, selling.length);
    const entry = entries.find(({ buckets }) => buckets[0] === '200-219')!;
    assert.deepEqual([entry.winProbability, entry.stakeFraction, entry.suggestedBetUsd], [0.8, 0, 0]);
  });
});
