import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createRandom } from '../../runtime/random.ts';
import { computeMaxDrawdown, computePnl, findRepeats, keepLedger } from './paper-ledger.ts';
import { betOn } from './recorded-signal.test-support.ts';

const profits = fc.array(fc.integer({ min: -100, max: 100 }), { maxLength: 30 });

describe('profit of a bet', () => {
  it('is 1 USD per share minus the stake for a win, and minus the stake for a loss', () => {
    assert.equal(computePnl(true, 20, 12.5), 7.5);
    assert.equal(computePnl(false, 20, 12.5), -12.5);
  });
});

describe('drawdown', () => {
  it('is the largest drop below an earlier peak, including the start', () => {
    assert.equal(computeMaxDrawdown([]), 0);
    assert.equal(computeMaxDrawdown([5, 5]), 0);
    assert.equal(computeMaxDrawdown([-3, 1]), 3);
    assert.equal(computeMaxDrawdown([10, -4, 3, -6, 20]), 7);
  });

  it('is at least the largest loss and at most the sum of all losses', () => {
    fc.assert(
      fc.property(profits, (list) => {
        const losses = list.filter((value) => value < 0).map((value) => -value);
        const drawdown = computeMaxDrawdown(list);
        assert.ok(drawdown >= Math.max(0, ...losses));
        assert.ok(drawdown <= losses.reduce((sum, value) => sum + value, 0));
      }),
    );
  });
});

describe('paper ledger', () => {
  it('omits unsettled bets', () => {
    const ledger = keepLedger([betOn(1), betOn(2, { won: null, pnlUsd: null })], createRandom(1));
    assert.deepEqual([ledger.bets, ledger.events, ledger.stakedUsd, ledger.pnlUsd], [1, 1, 10, 10]);
  });

  it('counts an event once, no matter how many bets it had', () => {
    const ledger = keepLedger([betOn(1), betOn(1), betOn(2)], createRandom(1));
    assert.deepEqual([ledger.bets, ledger.events], [3, 2]);
  });

  it('finds strategies that repeat a bucket bought at the same moment', () => {
    const on = (label: string, change: Parameters<typeof betOn>[1] = {}) => ({ ...betOn(1, change), label });
    const bets = [
      on('10-19'),
      on('20-29', { strategy: 'BUY_NO' }),
      on('10-19', { strategy: 'SINGLE_BUCKET' }),
      on('10-19 + 20-29', { strategy: 'TWO_BUCKET' }),
      on('20-29', { strategy: 'SINGLE_BUCKET' }),
      on('10-19', { strategy: 'SINGLE_BUCKET', asofTs: 2 }),
    ];
    const repeats = findRepeats(bets, ({ label }) => label.split(' + '));
    const found = bets.map((bet) => repeats.has(bet));
    assert.deepEqual(found, [false, false, true, true, false, false]);
  });

  it('orders bets by time, not by input order', () => {
    const win = betOn(1, { pnlUsd: 10, asofTs: 1 });
    const loss = betOn(2, { pnlUsd: -10, won: false, asofTs: 2 });
    const late = betOn(3, { pnlUsd: -10, won: false, asofTs: 3 });
    assert.equal(keepLedger([late, win, loss], createRandom(1)).maxDrawdownUsd, 20);
  });

  it('averages closing-line value over the bets that have one', () => {
    const ledger = keepLedger(
      [betOn(1, { closingLineValue: 0.02 }), betOn(2), betOn(3, { closingLineValue: -0.01 })],
      createRandom(1),
    );
    assert.equal(ledger.closingLineSample, 2);
    assert.ok(Math.abs(ledger.closingLineValue! - 0.005) < 1e-12);
    assert.equal(keepLedger([betOn(1)], createRandom(1)).closingLineValue, null);
  });

  it('has a reproducible interval once there are three events', () => {
    const bets = (count: number) =>
      Array.from({ length: count }, (_, i) => betOn(i, i % 2 ? { won: false, pnlUsd: -10 } : {}));
    assert.equal(keepLedger(bets(2), createRandom(1)).returnInterval, null);
    const { returnInterval } = keepLedger(bets(8), createRandom(1));
    assert.ok(returnInterval!.lo <= 0 && returnInterval!.hi >= 0);
    assert.deepEqual(keepLedger(bets(8), createRandom(1)).returnInterval, returnInterval);
  });

  it('has no return without a stake, and otherwise a return inside its interval', () => {
    assert.equal(keepLedger([], createRandom(1)).returnOnStake, null);
    const sure = Array.from({ length: 10 }, (_, i) => betOn(i));
    const { returnOnStake, returnInterval } = keepLedger(sure, createRandom(1));
    assert.equal(returnOnStake, 1);
    assert.ok(returnInterval!.lo <= 1 && returnInterval!.hi >= 1);
  });

  it('does not treat eight lost events as proof that every event will be lost', () => {
    const lost = Array.from({ length: 8 }, (_, i) => betOn(i, { won: false, pnlUsd: -10 }));
    const { returnOnStake, returnInterval } = keepLedger(lost, createRandom(1));
    assert.equal(returnOnStake, -1);
    assert.ok(returnInterval!.lo === -1 && returnInterval!.hi > -0.9, JSON.stringify(returnInterval));
  });
});
