import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  centsSign,
  describeBand,
  describeBlend,
  describeBuy,
  describeSell,
  describeSizing,
  percent,
  usd,
} from './reasons.ts';

const OFFER = { bookPrice: 0.41, feePerShare: 0.0121, netPrice: 0.4221, depthShares: 100 };

describe('numbers in reasons', () => {
  it('have no trailing zeros', () => {
    assert.deepEqual([percent(0.5), percent(0.125), percent(1), percent(0)], ['50%', '12.5%', '100%', '0%']);
    assert.deepEqual([centsSign(0.01), centsSign(0.0125), centsSign(0.4)], ['1¢', '1.25¢', '40¢']);
    assert.equal(percent(0.12345, 2), '12.35%');
  });

  it('keep the zeros of a whole number', () => {
    assert.deepEqual([percent(0.1), percent(10), centsSign(1)], ['10%', '1000%', '100¢']);
    assert.equal(percent(0.1, 0), '10%');
  });

  it('show money with two decimals', () => {
    assert.deepEqual([usd(5), usd(0.5)], ['5.00 USD', '0.50 USD']);
  });

  it('can be parsed back to the precision shown', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (value) => {
        assert.ok(Math.abs(Number.parseFloat(percent(value)) / 100 - value) <= 0.0005 + 1e-9);
        assert.ok(Math.abs(Number.parseFloat(centsSign(value)) / 100 - value) <= 0.00005 + 1e-9);
      }),
    );
  });
});

describe('reasons', () => {
  it('for a purchase include model, ask, fee and cost, plus the side for No', () => {
    assert.equal(describeBuy(0.5, OFFER), 'model 50% against a cost of 42.21¢ (ask 41¢ plus 1.21¢ fee)');
    assert.equal(
      describeBuy(0.5, OFFER, 'No'),
      'No: model 50% against a cost of 42.21¢ (ask 41¢ plus 1.21¢ fee)',
    );
  });

  it('for a sale include the proceeds', () => {
    const bid = { ...OFFER, netPrice: 0.3979 };
    assert.equal(describeSell(0.2, bid), 'model 20% against proceeds of 39.79¢ (bid 41¢ minus 1.21¢ fee)');
  });

  it('for no trade show the no-trade band, or that there is no bid', () => {
    assert.match(describeBand(0.4, 0.38, 0.42), /Yes is worth 40¢, costs 42¢, sells for 38¢/);
    assert.match(describeBand(0.4, null, 0.42), /has no bid/);
  });

  it('for a size show the blend, the Kelly fraction and the uncertainty discount', () => {
    assert.match(describeBlend(0.6, 0.5), /blended probability 50%: the model's 60%/);
    assert.match(describeSizing(0.25, 0.8, 0.1234), /25% of full Kelly \(12\.34%\), scaled by 0\.80/);
  });
});
