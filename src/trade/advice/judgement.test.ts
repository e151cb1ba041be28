import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { bucketOf, pricedAt, quoteOf } from '../../../test/support/priced-event.ts';
import { findNoBuy, findYesBuy, findYesSell } from '../cost.ts';
import { SELL_MARGIN } from '../sizing/sizing-rules.ts';
import { findExit, findNoBargain, judgeYes } from './judgement.ts';

const cents = fc.integer({ min: 3, max: 97 }).map((value) => value / 100);
const beliefs = fc.double({ min: 0, max: 1, noNaN: true });

describe('judging a Yes share', () => {
  it('says buy where belief and model are both above ask and fee', () => {
    assert.equal(judgeYes(pricedAt(200, 0.6, 0.4), 0.5).kind, 'buy');
    assert.equal(judgeYes(pricedAt(200, 0.6, 0.4), 0.41).kind, 'nothing');
    assert.equal(judgeYes(pricedAt(200, 0.41, 0.4), 0.6).kind, 'nothing');
  });

  it('says exit where a sale brings more than either says that it is worth', () => {
    assert.equal(judgeYes(pricedAt(200, 0.2, 0.4), 0.3).kind, 'exit');
    assert.equal(judgeYes(pricedAt(200, 0.2, 0.4), 0.39).kind, 'nothing');
    assert.equal(judgeYes(pricedAt(200, 0.39, 0.4), 0.2).kind, 'nothing');
  });

  it('tells the spread inside of which nothing gains', () => {
    const judgement = judgeYes(pricedAt(200, 0.4, 0.4), 0.4);
    assert.ok(judgement.kind === 'nothing' && judgement.isTradable);
    assert.ok(judgement.netBid! < 0.4 && judgement.cost > 0.4);
  });

  it('tells why it cannot be bought', () => {
    const problemOf = (...args: Parameters<typeof judgeYes>) => {
      const judgement = judgeYes(...args);
      return judgement.kind === 'nothing' && !judgement.isTradable ? judgement.problem : null;
    };
    assert.match(problemOf(pricedAt(200, 0.9, 0.4, { marketPrice: null }), 0.9)!, /no price/);
    assert.match(problemOf(pricedAt(200, 0.9, 0.4, { isOpen: false }), 0.9)!, /closed/);
    assert.match(problemOf(pricedAt(200, 0.9, 0.4, { yesQuote: null }), 0.9)!, /no order book/);
  });

  it('never asks for a trade that loses, by the belief or by the model', () => {
    fc.assert(
      fc.property(beliefs, beliefs, cents, (p, belief, price) => {
        const bucket = pricedAt(200, p, price);
        const judgement = judgeYes(bucket, belief);
        if (judgement.kind === 'buy') assert.ok(Math.min(p, belief) > judgement.price.netPrice);
        if (judgement.kind === 'exit') assert.ok(Math.max(p, belief) < judgement.price.netPrice);
      }),
    );
  });
});

describe('a No share', () => {
  it('is a bargain where both say that Yes is too dear, after cost', () => {
    assert.equal(findNoBargain(pricedAt(200, 0.2, 0.4), 0.3)!.bookPrice, 0.61);
    assert.equal(findNoBargain(pricedAt(200, 0.2, 0.4), 0.39), null);
    assert.equal(findNoBargain(pricedAt(200, 0.2, 0.4, { noQuote: null }), 0.2), null);
    assert.equal(findNoBargain(pricedAt(200, 0.2, 0.4, { marketPrice: null }), 0.2), null);
  });

  it('is never a bargain together with the Yes of its bucket, on books that do not cross', () => {
    fc.assert(
      fc.property(beliefs, beliefs, cents, (p, belief, price) => {
        const bucket = pricedAt(200, p, price);
        const [yes, no] = [findYesBuy(bucket), findNoBuy(bucket)];
        assert.ok(yes.isExecutable && no.isExecutable && yes.price.netPrice + no.price.netPrice > 1);
        assert.ok(judgeYes(bucket, belief).kind !== 'buy' || findNoBargain(bucket, belief) === null);
      }),
    );
  });
});

describe('an exit', () => {
  it('asks for a margin over what holding is worth', () => {
    const bucket = bucketOf(200, 0.3, { yesQuote: quoteOf('y', 0.4, 0.42), fee: { rate: 0, exponent: 1 } });
    const sell = findYesSell(bucket);
    assert.ok(sell.isExecutable && sell.price.netPrice === 0.4);
    assert.equal(findExit(bucket, 0.4 - SELL_MARGIN, 'Yes'), null);
    assert.notEqual(findExit(bucket, 0.4 - SELL_MARGIN - 1e-6, 'Yes'), null);
  });

  it('takes any price for what can no longer win', () => {
    const dead = bucketOf(200, 0, { yesQuote: quoteOf('y', 0.002, 0.02) });
    assert.equal(findExit(dead, 0, 'Yes')!.bookPrice, 0.002);
    assert.equal(findExit({ ...dead, modelProbability: 0.001 }, 0.001, 'Yes'), null);
  });

  it('of No looks at the book of No', () => {
    assert.equal(findExit(pricedAt(200, 0.7, 0.4), 0.6, 'No')!.bookPrice, 0.59);
    assert.equal(findExit(pricedAt(200, 0.7, 0.4, { noQuote: null }), 0.6, 'No'), null);
    assert.equal(findExit(pricedAt(200, 0.3, 0.4), 0.3, 'No'), null);
  });
});
