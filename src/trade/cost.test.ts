import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { bucketOf, quoteOf } from '../../test/support/priced-event.ts';
import {
  computeCostPerShare,
  computeEdgePercent,
  computeFeePerShare,
  computeNetBid,
  type Executability,
  findNoBuy,
  findNoSell,
  findYesBuy,
  findYesSell,
} from './cost.ts';

const FEE = { rate: 0.05, exponent: 1 };
const FREE = { rate: 0, exponent: 1 };
const prices = fc.integer({ min: 1, max: 99 }).map((cents) => cents / 100);

function problemOf(found: Executability): string {
  return found.isExecutable ? assert.fail('is executable') : found.problem;
}

describe('fee per share', () => {
  it('is the rate times (p (1 - p)) to the exponent', () => {
    assert.ok(Math.abs(computeFeePerShare(0.5, FEE) - 0.0125) < 1e-12);
    assert.ok(Math.abs(computeFeePerShare(0.5, { rate: 0.05, exponent: 2 }) - 0.003125) < 1e-12);
  });

  it('is zero at a rate of 0 and at prices of 0 and 1', () => {
    for (const price of [0, 1]) assert.equal(computeFeePerShare(price, FEE), 0);
    assert.equal(computeFeePerShare(0.4, FREE), 0);
  });

  it('is the same for Yes and the complementary No, and highest at a price of 0.5', () => {
    fc.assert(
      fc.property(prices, (price) => {
        assert.ok(Math.abs(computeFeePerShare(price, FEE) - computeFeePerShare(1 - price, FEE)) < 1e-12);
        assert.ok(computeFeePerShare(price, FEE) <= computeFeePerShare(0.5, FEE));
      }),
    );
  });

  it('raises the cost of buying and lowers the proceeds of selling, never below zero', () => {
    fc.assert(
      fc.property(prices, fc.double({ min: 0, max: 2, noNaN: true }), (price, rate) => {
        const fee = { rate, exponent: 1 };
        assert.ok(computeCostPerShare(price, fee) >= price);
        assert.ok(computeNetBid(price, fee) <= price);
        assert.ok(computeNetBid(price, fee) >= 0);
      }),
    );
  });
});

describe('executable price', () => {
  it('is ask plus fee to buy and bid minus fee to sell, with the displayed depth', () => {
    const bucket = bucketOf(200, 0.5, {
      yesQuote: quoteOf('yes', 0.4, 0.5, 70),
      noQuote: quoteOf('no', 0.5, 0.6),
    });
    assert.deepEqual(findYesBuy(bucket), {
      isExecutable: true,
      price: { bookPrice: 0.5, feePerShare: 0.0125, netPrice: 0.5125, depthShares: 70 },
    });
    assert.deepEqual(findYesSell(bucket), {
      isExecutable: true,
      price: { bookPrice: 0.4, feePerShare: 0.012, netPrice: 0.388, depthShares: 70 },
    });
  });

  it('comes from the No book for a No share', () => {
    const bucket = bucketOf(200, 0.5, { yesQuote: null, noQuote: quoteOf('no', 0.5, 0.6), fee: FREE });
    assert.equal(problemOf(findYesBuy(bucket)), 'no order book for this bucket');
    const [buy, sell] = [findNoBuy(bucket), findNoSell(bucket)];
    assert.ok(buy.isExecutable && buy.price.netPrice === 0.6);
    assert.ok(sell.isExecutable && sell.price.netPrice === 0.5);
  });

  it('is unavailable for a closed bucket', () => {
    for (const find of [findYesBuy, findNoBuy, findYesSell, findNoSell]) {
      assert.match(problemOf(find(bucketOf(200, 0.5, { isOpen: false }))), /^closed/);
    }
  });

  it('is unavailable on a side without offers', () => {
    const onlyBid = bucketOf(200, 0.5, { yesQuote: quoteOf('yes', 0.4, null) });
    assert.match(problemOf(findYesBuy(onlyBid)), /no ask/);
    assert.ok(findYesSell(onlyBid).isExecutable);
    const onlyAsk = bucketOf(200, 0.5, { yesQuote: quoteOf('yes', null, 0.4) });
    assert.match(problemOf(findYesSell(onlyAsk)), /no bid/);
    assert.ok(findYesBuy(onlyAsk).isExecutable);
  });

  it('is unavailable in an empty market, whichever side is missing', () => {
    const books: [number | null, number | null][] = [
      [0.01, 0.99],
      [null, 0.99],
      [0.01, null],
    ];
    for (const [bid, ask] of books) {
      const bucket = bucketOf(200, 0.5, { yesQuote: quoteOf('yes', bid, ask) });
      assert.match(problemOf(findYesBuy(bucket)), /^empty book/);
      assert.match(problemOf(findYesSell(bucket)), /^empty book/);
    }
  });

  it('is unavailable at 0 or 1, or if the fee uses up the payout', () => {
    const at = (bid: number, ask: number, fee = FEE) =>
      bucketOf(200, 0.5, { yesQuote: quoteOf('yes', bid, ask), fee });
    assert.match(problemOf(findYesBuy(at(0.5, 1))), /is not between/);
    assert.match(problemOf(findYesSell(at(0, 0.5))), /is not between/);
    assert.match(problemOf(findYesBuy(at(0.5, 0.9, { rate: 2, exponent: 1 }))), /costs at least the 1 USD/);
  });
});

describe('edge in percent', () => {
  it('is the edge relative to the price, without binary error', () => {
    assert.equal(computeEdgePercent(0.55 - 0.35, 0.4), 50);
    assert.equal(computeEdgePercent(0.3 - 0.1, 0.1), 200);
    assert.equal(computeEdgePercent(-0.05, 0.2), -25);
  });

  it('has no price floor, and is 0 at price 0', () => {
    assert.equal(computeEdgePercent(0.01, 0.001), 1000);
    assert.equal(computeEdgePercent(0.2, 0), 0);
  });

  it('has the sign of the edge at every whole-cent price', () => {
    const cents = fc.integer({ min: 1, max: 99 });
    fc.assert(
      fc.property(cents, cents, (p, price) => {
        const percent = computeEdgePercent(p / 100 - price / 100, price / 100);
        assert.equal(Math.sign(percent), Math.sign(p - price));
      }),
    );
  });
});
