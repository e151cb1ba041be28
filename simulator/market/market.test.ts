import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { profileOfLetter } from '../../src/domain/account-profile.ts';
import { findLadderProblem } from '../../src/domain/bucket-label.ts';
import { DAY_MS, HOUR_MS } from '../../src/domain/units.ts';
import { ACCOUNT_A, ACCOUNT_B } from '../account-parameters.ts';
import { simulatorAccountFor } from '../draw-account.ts';
import { createEventCalendar } from '../event-calendar.ts';
import { ladderFor } from '../ladders.ts';
import { makeConditionId, makeTokenId, readConditionId, readTokenId } from '../platform-ids.ts';
import { addOverround, buildYesBook, mirrorBook, quoteAround } from './quotes.ts';
import { bucketShares } from './remaining-count.ts';

const ANCHOR_TS = Date.UTC(2026, 5, 18);

describe('event calendar', () => {
  const calendar = createEventCalendar(1, ANCHOR_TS, [
    ACCOUNT_A,
    ACCOUNT_B,
    simulatorAccountFor(profileOfLetter('c')),
  ]);
  const slots = calendar.listedBy(Date.UTC(2027, 3, 1));

  it('finds every listed slot by its id', () => {
    for (const slot of slots) assert.deepEqual(calendar.find(slot.eventId), slot);
    assert.equal(calendar.find(128_000_011), null);
  });

  it('has 169- and 167-hour weeks across clock changes', () => {
    const weeks = slots.filter((slot) => slot.family === '7d' && slot.variant === 'count');
    const hours = new Set(weeks.map((slot) => (slot.window.endTs - slot.window.startTs) / HOUR_MS));
    assert.deepEqual([...hours].sort(), [167, 168, 169]);
  });

  it('always has an active two-day, seven-day and monthly event for each account', () => {
    for (let ts = Date.UTC(2026, 7, 1, 12); ts < Date.UTC(2026, 10, 1); ts += 7 * HOUR_MS) {
      const active = slots.filter(
        ({ window, variant }) => variant === 'count' && window.startTs <= ts && ts < window.endTs,
      );
      const kinds = new Set(active.map((slot) => slot.accountId + slot.family));
      assert.deepEqual([...kinds].sort(), [
        'a2d',
        'a7d',
        'amonth',
        'b2d',
        'b7d',
        'bmonth',
        'c2d',
        'c7d',
        'cmonth',
      ]);
    }
  });

  it('lists an event at least two days before counting starts', () => {
    for (const slot of slots.filter(({ variant }) => variant === 'count')) {
      assert.ok(slot.window.startTs - slot.listedTs > 1.7 * DAY_MS);
    }
  });
});

describe('ladders', () => {
  it('are complete, with as many buckets as real ladders', () => {
    const lengths = { a2d: 10, a7d: 26, amonth: 46, b2d: 10, b7d: 11, bmonth: 18 };
    for (const [name, length] of Object.entries(lengths)) {
      const ranges = ladderFor(name.startsWith('a'), name.slice(1) as '2d', 300);
      assert.equal(findLadderProblem(ranges), null);
      assert.equal(ranges.length, length, name);
    }
    assert.equal(ladderFor(true, 'month', 1200).length, 66);
  });

  it('distribute the full probability, with none below the current count', () => {
    const ranges = ladderFor(true, '7d', 300);
    const shares = bucketShares(ranges, 133, { mean: 120, variance: 1900 });
    assert.ok(Math.abs(shares.reduce((sum, share) => sum + share, 0) - 1) < 1e-9);
    for (const [i, range] of ranges.entries())
      if (range.hi !== null && range.hi < 133) assert.equal(shares[i], 0);
    const settled = bucketShares(ranges, 133, { mean: 0, variance: 0 });
    assert.equal(settled[6], 1);
  });
});

describe('quotes', () => {
  it('surround the midpoint on the tick grid, and omit a side with no tick left', () => {
    for (const tick of [0.001, 0.01]) {
      for (let mid = 0.0005; mid < 1; mid += 0.0037) {
        const { bid, ask } = quoteAround(mid, { tick, halfSpread: 0.005, depthUsd: 100 });
        if (bid !== null) assert.ok(bid < mid && bid >= tick - 1e-9);
        if (ask !== null) assert.ok((ask > mid || mid < 2 * tick) && ask <= 1 - tick + 1e-9);
        if (bid !== null && ask !== null) assert.ok(ask > bid);
      }
    }
  });

  it('have mids with sums like those of real ladders, smaller near the close', () => {
    const shares = new Array<number>(20).fill(1 / 20);
    const sumAt = (aheadHours: number) =>
      Math.round(1000 * addOverround(shares, aheadHours).reduce((total, price) => total + price, 0)) / 1000;
    assert.deepEqual([17, 161, 233, 900].map(sumAt), [0.996, 1.066, 1.1, 1.1]);
  });

  it('mirror the Yes side on the No side', () => {
    const book = buildYesBook(5, 0.31, 0.33, { tick: 0.01, halfSpread: 0.01, depthUsd: 100 }, 0);
    const mirrored = mirrorBook(book);
    assert.equal(mirrored.bids[0]!.price, 0.67);
    assert.equal(mirrored.asks[0]!.price, 0.69);
    assert.deepEqual(mirrorBook(mirrored), book);
  });
});

describe('market ids', () => {
  it('can be decoded from tokens and conditions', () => {
    for (const marketId of [33232201, 12_839_000_405]) {
      for (const side of [0, 1] as const) {
        const token = makeTokenId(9, marketId, side);
        assert.match(token, /^\d{77,78}$/);
        assert.deepEqual(readTokenId(token), { marketId, side });
      }
      assert.equal(readConditionId(makeConditionId(9, marketId)), marketId);
    }
  });
});
