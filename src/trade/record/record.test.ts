import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { computeWilsonInterval } from '../../forecast/scoring/block-bootstrap.ts';
import { createRandom } from '../../runtime/random.ts';
import { devigPrices, findPower } from '../edges/blend.ts';
import { computeMaxDrawdown, computePnl, keepLedger } from './paper-ledger.ts';
import { computeClassRecord, computeStrategyRecord, type RecordedSignal } from './record.ts';

function signalOf(eventId: number, change: Partial<RecordedSignal> = {}): RecordedSignal {
  return {
    eventId,
    horizonH: 24,
    confidence: 'HIGH',
    strategy: null,
    modelProbability: 0.8,
    edgeKind: 'model',
    winProbability: 0.8,
    marketPrice: 0.5,
    costPerShare: 0.7,
    shares: 20,
    stakeUsd: 14,
    asofTs: eventId,
    won: true,
    pnlUsd: 6,
    closingLineValue: null,
    ...change,
  };
}

describe('record', () => {
  it('has Wilson intervals', () => {
    const interval = computeWilsonInterval(18, 20)!;
    assert.ok(Math.abs(interval.lo - 0.699) < 1e-3 && Math.abs(interval.hi - 0.9721) < 1e-3);
    assert.equal(computeWilsonInterval(0, 0), null);
    assert.equal(computeWilsonInterval(5, 5)!.hi, 1);
  });

  it('counts settled bucket signals by class, separate from strategies', () => {
    const signals = [
      signalOf(1),
      signalOf(2, { won: false, pnlUsd: -14 }),
      signalOf(3, { won: null, pnlUsd: null }),
      signalOf(4, { strategy: 'TWO_BUCKET' }),
    ];
    const classes = computeClassRecord(signals);
    assert.equal(classes.HIGH.winRate, 0.5);
    assert.equal(classes.HIGH.sampleSize, 2);
    assert.equal(classes.LOW.winRate, null);
    assert.equal(computeStrategyRecord(signals).TWO_BUCKET.sampleSize, 1);
  });

  it('includes a ledger with return, drawdown and closing-line value', () => {
    const signals = Array.from({ length: 12 }, (_, i) =>
      signalOf(i, {
        won: i % 3 !== 0,
        pnlUsd: computePnl(i % 3 !== 0, 20, 14),
        closingLineValue: 0.01 * (i % 2),
      }),
    );
    const ledger = keepLedger(signals, createRandom(1));
    assert.equal(ledger.bets, 12);
    assert.equal(ledger.stakedUsd, 168);
    assert.equal(ledger.pnlUsd, 8 * 6 - 4 * 14);
    assert.ok(Math.abs(ledger.returnOnStake! - -8 / 168) < 1e-12);
    assert.ok(
      ledger.returnInterval!.lo <= ledger.returnOnStake! &&
        ledger.returnInterval!.hi >= ledger.returnOnStake!,
    );
    assert.ok(Math.abs(ledger.closingLineValue! - 0.005) < 1e-12);
    assert.equal(computeMaxDrawdown([6, -14, 6, -14, 20]), 22);
  });

  it('is empty without signals', () => {
    const ledger = keepLedger([], createRandom(1));
    assert.equal(ledger.returnOnStake, null);
    assert.equal(ledger.returnInterval, null);
  });

  it('removes the margin from prices by the power method', () => {
    const prices = [0.08, 0.2, 0.33, 0.27, 0.18];
    assert.ok(Math.abs(findPower(prices) - 1.039876) < 1e-6);
    const expected = [0.072335, 0.187568, 0.315729, 0.256265, 0.168103];
    devigPrices(prices)!.forEach((p, i) => {
      assert.ok(Math.abs(p - expected[i]!) < 1e-6);
    });
    assert.equal(devigPrices([0.5, null]), null);
  });
});
