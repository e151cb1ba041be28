import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventOf as createEvent, evidenceOf, pricedAt, RULES } from '../../../test/support/priced-event.ts';
import type { PricedEvent } from '../types.ts';
import {
  type AccountAdvice,
  findLargestDisagreement,
  findNearestMiss,
  rankOpportunities,
} from './opportunities.ts';
import { buildAccountSignals } from './signals.test-support.ts';

const NO_BOOK = { noQuote: null };

/** The model has no uncertainty, so prices alone decide. */
const eventOf = (buckets: PricedEvent['buckets']) => createEvent(buckets, { modelSd: 0 });

function adviceOf(accountId: string, ...events: PricedEvent[]): AccountAdvice {
  return { accountId, events: buildAccountSignals(events, 10_000, RULES) };
}

const small = eventOf([pricedAt(200, 0.46, 0.4, NO_BOOK), pricedAt(220, 0.54, 0.54, NO_BOOK)]);
const large = eventOf([pricedAt(200, 0.6, 0.4, NO_BOOK), pricedAt(220, 0.4, 0.39, NO_BOOK)]);
const dear = eventOf([pricedAt(200, 0.3, 0.4, NO_BOOK), pricedAt(220, 0.7, 0.7, NO_BOOK)]);
const fair = eventOf([pricedAt(200, 0.4, 0.4, NO_BOOK), pricedAt(220, 0.6, 0.6, NO_BOOK)]);

describe('opportunities', () => {
  it('list the largest expected gain first, across accounts', () => {
    const ranked = rankOpportunities([adviceOf('a', small), adviceOf('b', large)]);
    assert.deepEqual(
      ranked.map(({ accountId, signal }) => [accountId, signal.verdict.kind]),
      [
        ['b', 'buy-yes'],
        ['a', 'buy-yes'],
      ],
    );
    const gains = ranked.map(({ signal }) => signal.verdict.expectedGainUsd);
    assert.deepEqual(
      gains,
      gains.toSorted((x, y) => y - x),
    );
  });

  it('list exits after every purchase', () => {
    const ranked = rankOpportunities([adviceOf('a', dear), adviceOf('b', small)]);
    assert.deepEqual(
      ranked.map(({ signal }) => signal.verdict.kind),
      ['buy-yes', 'exit'],
    );
  });

  it('are empty when there is nothing to do, or no data', () => {
    assert.deepEqual(rankOpportunities([adviceOf('a', fair)]), []);
    assert.deepEqual(rankOpportunities([adviceOf('a', { ...large, blindness: 'prices stale' })]), []);
    assert.deepEqual(rankOpportunities([]), []);
  });
});

describe('nearest miss', () => {
  it('is the bucket closest to being bought, with the cost at which that would happen', () => {
    const nearer = eventOf([pricedAt(200, 0.415, 0.4, NO_BOOK), pricedAt(220, 0.585, 0.6, NO_BOOK)]);
    const miss = findNearestMiss([adviceOf('a', fair), adviceOf('b', nearer)])!;
    assert.deepEqual([miss.accountId, miss.signal.bucketLabel], ['b', '200-219']);
    assert.equal(miss.actAt.side, 'Yes');
    assert.ok(miss.actAt.price < miss.actAt.ask && miss.actAt.worthAtCost < 0.415);
  });

  it('excludes advised, closed, stale and dead buckets', () => {
    const closed = eventOf(fair.buckets.map((bucket) => ({ ...bucket, isOpen: false })));
    assert.equal(findNearestMiss([adviceOf('a', closed)]), null);
    assert.equal(findNearestMiss([adviceOf('a', { ...fair, blindness: 'prices stale' })]), null);
    const dead = eventOf([pricedAt(200, 0, 0.03, { yesQuote: null }), pricedAt(220, 1, 0.5, NO_BOOK)]);
    assert.equal(findNearestMiss([adviceOf('a', dead)]), null);
  });
});

describe('largest disagreement', () => {
  it('is the widest gap between model and cost that is not advised, with the reason and the remedy', () => {
    const unproven = evidenceOf(0, 1);
    const wide = { ...eventOf([pricedAt(200, 0.6, 0.4), pricedAt(220, 0.4, 0.6)]), evidence: unproven };
    const narrow = { ...eventOf([pricedAt(200, 0.45, 0.4), pricedAt(220, 0.55, 0.6)]), evidence: unproven };
    const found = findLargestDisagreement([adviceOf('a', narrow), adviceOf('b', wide)])!;
    const { side, model, ask, costPerShare } = found.disagreement;
    assert.deepEqual(
      [found.accountId, found.signal.bucketLabel, side, model, ask],
      ['b', '200-219', 'Yes', 0.6, 0.41],
    );
    assert.ok(costPerShare > ask);
    assert.match(
      found.sentence,
      /^Yes 200-219 is worth 60¢ to the model and costs 42\.21¢\. Not advised: .+\. \w.+\.$/,
    );
  });

  it('excludes advised, stale and fairly priced buckets', () => {
    assert.equal(findLargestDisagreement([adviceOf('a', fair)]), null);
    assert.equal(findLargestDisagreement([adviceOf('a', { ...dear, blindness: 'prices stale' })]), null);
    assert.notEqual(findLargestDisagreement([adviceOf('a', large)])?.signal.bucketLabel, '200-219');
  });
});
