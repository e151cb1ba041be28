import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  cents,
  centsSign,
  describeBand,
  describeBlend,
  describeBuy,
  describeSell,
  describeSizing,
  describeUnproven,
  percent,
  price,
  usd,
} from './reasons.ts';

const OFFER = { bookPrice: 0.41, feePerShare: 0.0121, netPrice: 0.4221, depthShares: 100 };

describe('numbers in reasons', () => {
  it('have no trailing zeros', () => {
    assert.deepEqual([percent(0.5), percent(0.125), percent(1), percent(0)], ['50%', '12.5%', '100%', '0%']);
    assert.deepEqual([cents(0.01), cents(0.0125), centsSign(0.4)], ['1c', '1.25c', '40¢']);
    assert.deepEqual([price(0.4), price(0.12345)], ['0.4', '0.1235']);
    assert.equal(percent(0.12345, 2), '12.35%');
  });

  it('keep the zeros of a whole number', () => {
    assert.deepEqual([percent(0.1), percent(10), cents(1)], ['10%', '1000%', '100c']);
    assert.equal(percent(0.1, 0), '10%');
  });

  it('write money with both decimals', () => {
    assert.deepEqual([usd(5), usd(0.5)], ['5.00 USD', '0.50 USD']);
  });

  it('can be parsed back to the precision shown', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (value) => {
        assert.ok(Math.abs(Number.parseFloat(percent(value)) / 100 - value) <= 0.0005 + 1e-9);
        assert.ok(Math.abs(Number.parseFloat(price(value)) - value) <= 0.00005 + 1e-9);
      }),
    );
  });
});

describe('reasons', () => {
  it('for a purchase give model, ask, fee and cost, and the side if it is No', () => {
    assert.equal(describeBuy(0.5, OFFER), 'model 50% vs ask 0.41 after 1.21c fee (cost 0.4221)');
    assert.equal(describeBuy(0.5, OFFER, 'No'), 'No: model 50% vs ask 0.41 after 1.21c fee (cost 0.4221)');
  });

  it('for a sale give the proceeds', () => {
    const bid = { ...OFFER, netPrice: 0.3979 };
    assert.equal(describeSell(0.2, bid), 'model 20% vs bid 0.41 less 1.21c fee (brings 0.3979)');
  });

  it('for no action give the band, or the missing bid', () => {
    assert.match(describeBand(0.4, 0.38, 0.42), /40% is between .*\(0\.38\).*\(0\.42\)/);
    assert.match(describeBand(0.4, null, 0.42), /\(no bid\)/);
  });

  it('for an unproven edge give the settled events so far and those needed', () => {
    assert.equal(describeUnproven(12, 57), 'edge not proven: 12 of about 60 settled events');
    assert.match(describeUnproven(12, null), /speak against it/);
    assert.match(describeUnproven(80, 60), /after 80 settled events/);
  });

  it('for a size give blend, share of Kelly and the deduction for uncertainty', () => {
    assert.match(describeBlend(0.6, 0.5), /blended probability 50%: model 60%/);
    assert.match(describeSizing(0.25, 0.8, 0.1234), /25% of full Kelly 12\.34%, times 0\.80/);
  });
});
