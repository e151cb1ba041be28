import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { first } from '../../../test/support/first.ts';
import { eventOf, pricedAt, RULES } from '../../../test/support/priced-event.ts';
import type { PricedEvent } from '../types.ts';
import { buildLadder } from './ladder.ts';
import { buildAccountSignals } from './signals.test-support.ts';

const event = eventOf([
  pricedAt(200, 0.2, 0.3),
  pricedAt(220, 0.55, 0.4),
  pricedAt(240, 0.25, 0.25, { marketPrice: null, yesQuote: null, hi: null, label: '240+' }),
]);

function ladderOf(of: PricedEvent) {
  const { signals } = first(buildAccountSignals([of], 1_000, RULES));
  return { signals, rows: buildLadder(of, signals) };
}

describe('ladder', () => {
  it('lists buckets in ascending order regardless of signal order', () => {
    const { rows, signals } = ladderOf(event);
    assert.deepEqual(
      rows.map(({ lo, hi }) => [lo, hi]),
      [
        [200, 219],
        [220, 239],
        [240, null],
      ],
    );
    assert.deepEqual(buildLadder(event, signals.toReversed()), rows);
  });

  it('shows the book, fee and cost of a bucket that can be bought', () => {
    const row = ladderOf(event).rows[1]!;
    assert.deepEqual([row.bid, row.ask, row.askShares], [0.39, 0.41, 1_000]);
    assert.ok(Math.abs(row.costPerShare! - row.ask! - row.feePerShare!) < 1e-9);
  });

  it('uses null, not 0, for missing values of an unpriced bucket', () => {
    const row = ladderOf(event).rows[2]!;
    assert.deepEqual(
      [row.marketPrice, row.bid, row.ask, row.costPerShare, row.feePerShare, row.edge, row.edgePercent],
      [null, null, null, null, null, null, null],
    );
    assert.deepEqual([row.action, row.targetShares, row.targetUsd], ['SKIP', 0, 0]);
  });

  it('shows edge and percentage relative to the published price', () => {
    const row = ladderOf(event).rows[1]!;
    assert.equal(row.edge, 0.15);
    assert.equal(row.edgePercent, 37.5);
  });
});
