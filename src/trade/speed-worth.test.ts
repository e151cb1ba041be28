import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { addWorths, measureSpeedWorth, type SpeedTrade, type TradedEvent } from './speed-worth.ts';

const EVENT: TradedEvent = {
  window: { startTs: 0, endTs: 1_000_000 },
  buckets: [
    { lo: 0, hi: 1 },
    { lo: 2, hi: 3 },
    { lo: 4, hi: null },
  ],
  // The second post takes the count past the first bucket.
  countedTs: [10_000, 30_500, 40_000],
  winner: 1,
  trades: [],
};

function trade(ts: number, change: Partial<SpeedTrade> = {}): SpeedTrade {
  return { ts, bucket: 0, side: 'yes', price: 0.2, shares: 10, ...change };
}

/** Delays: 1, 5, 11.5, 30, 60, 300 s. */
const TRADES: readonly [string, SpeedTrade, readonly number[]][] = [
  ['before the bucket is passed', trade(30_000), [0, 0, 0, 0, 0, 0]],
  ['4 s after', trade(35_000), [2, 0, 0, 0, 0, 0]],
  ['at 11.5 s', trade(42_000), [2, 2, 2, 0, 0, 0]],
  ['No at 80 cents', trade(400_000, { side: 'no', price: 0.8 }), [2, 2, 2, 2, 2, 2]],
  ['at 1 cent', trade(400_000, { price: 0.01 }), [0, 0, 0, 0, 0, 0]],
  ['in a bucket that can still win', trade(400_000, { bucket: 1 }), [0, 0, 0, 0, 0, 0]],
  ['the winner after the end', trade(1_002_000, { bucket: 1, price: 0.9 }), [1, 0, 0, 0, 0, 0]],
  ['a bucket never reached, after the end', trade(1_002_000, { bucket: 2 }), [2, 0, 0, 0, 0, 0]],
];

describe('worth of speed', () => {
  for (const [name, one, usd] of TRADES) {
    it(`counts a trade ${name}`, () => {
      const worth = measureSpeedWorth({ ...EVENT, trades: [one] });
      assert.deepEqual(
        worth.usd.map((value) => Math.round(value * 1e6) / 1e6),
        usd,
      );
    });
  }

  it('leaves out buckets that the venue paid against the count, and reports them', () => {
    const { overruled, usd } = measureSpeedWorth({ ...EVENT, winner: 0, trades: [trade(400_000)] });
    assert.deepEqual([overruled, usd[0]], [2, 0]);
  });

  it('adds up events', () => {
    const one = measureSpeedWorth({ ...EVENT, trades: [trade(35_000)] });
    const { events, decided, usd } = addWorths([one, one]);
    assert.deepEqual([events, decided, usd[0]], [2, 6, 4]);
  });
});
