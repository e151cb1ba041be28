import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { computeMarketPrice, type Quote } from './quote.ts';

function quoteOf(bid: number | null, ask: number | null, lastTradePrice: number | null): Quote {
  return { tokenId: 'yes', bid, ask, bidShares: null, askShares: null, lastTradePrice, observedTs: 0 };
}

describe('market price', () => {
  it('is the midpoint of a real book, otherwise the last trade, otherwise the listed price', () => {
    assert.equal(computeMarketPrice(quoteOf(0.4, 0.44, 0.9), 0.1), 0.42);
    assert.equal(computeMarketPrice(quoteOf(0.01, 0.99, 0.3), 0.1), 0.3);
    assert.equal(computeMarketPrice(quoteOf(null, null, null), 0.1), 0.1);
    assert.equal(computeMarketPrice(undefined, null), null);
  });

  it('is never above the ask or below the bid of a one-sided book', () => {
    assert.equal(computeMarketPrice(quoteOf(null, 0.002, 0.921), null), 0.002);
    assert.equal(computeMarketPrice(quoteOf(0.98, null, 0.6), null), 0.98);
    assert.equal(computeMarketPrice(quoteOf(null, 0.6, 0.3), null), 0.3);
    assert.equal(computeMarketPrice(quoteOf(null, 0.002, null), 0.5), 0.002);
  });
});
