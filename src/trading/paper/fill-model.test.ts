import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MICRO } from '../../domain/units.ts';
import { createManualClock } from '../../runtime/clock.ts';
import type { MarketTerms, VenueBook } from '../types.ts';
import { confirms, type Print, passPrint, queueAhead, takeLevels } from './fill-model.ts';
import { createPaperVenue } from './paper-venue.ts';

const BOOK: VenueBook = {
  tokenId: '11',
  conditionId: '0x1',
  bids: [{ pricePips: 3900, sizeMicro: 70 * MICRO }],
  asks: [
    { pricePips: 4100, sizeMicro: 40 * MICRO },
    { pricePips: 4200, sizeMicro: 100 * MICRO },
  ],
  tickPips: 100,
  minOrderMicro: 5 * MICRO,
  isNegRisk: false,
  refusesOrders: null,
  refusesBuys: null,
};

function print(changes: Partial<Print>): Print {
  return { tokenId: '11', ts: 2000, pricePips: 3900, sizeMicro: 50 * MICRO, takerAction: 'SELL', ...changes };
}

const order = (aheadMicro: number) =>
  ({ action: 'BUY', pricePips: 3900, openMicro: 20 * MICRO, aheadMicro }) as const;

describe('paper fills', () => {
  it('walk the levels within the limit and leave part of each level to others', () => {
    assert.deepEqual(
      takeLevels('BUY', 4200, 60 * MICRO, BOOK, 0.5, () => 0),
      [
        { pricePips: 4100, sizeMicro: 20 * MICRO },
        { pricePips: 4200, sizeMicro: 40 * MICRO },
      ],
    );
    assert.deepEqual(
      takeLevels('BUY', 4000, 60 * MICRO, BOOK, 0.5, () => 0),
      [],
    );
  });

  it('do not take the same level twice', () => {
    assert.deepEqual(
      takeLevels('BUY', 4100, 60 * MICRO, BOOK, 0.5, () => 15 * MICRO),
      [{ pricePips: 4100, sizeMicro: 5 * MICRO }],
    );
  });

  it('wait behind resting orders at the same price', () => {
    assert.equal(queueAhead('BUY', 3900, BOOK), 70 * MICRO);
    assert.equal(queueAhead('BUY', 3800, BOOK), 0);
    assert.deepEqual(passPrint(order(70 * MICRO), print({})), { aheadMicro: 20 * MICRO, filledMicro: 0 });
    assert.deepEqual(passPrint(order(20 * MICRO), print({ sizeMicro: 30 * MICRO })), {
      aheadMicro: 0,
      filledMicro: 10 * MICRO,
    });
  });

  it('happen when a trade goes through the price, however long the queue', () => {
    assert.deepEqual(passPrint(order(70 * MICRO), print({ pricePips: 3800 })), {
      aheadMicro: 0,
      filledMicro: 20 * MICRO,
    });
  });

  it('do not happen on trades above the price or on taker buys', () => {
    for (const missed of [print({ pricePips: 4000 }), print({ takerAction: 'BUY' })])
      assert.equal(passPrint(order(0), missed).filledMicro, 0);
  });

  it('are confirmed by a trade at the price or better within the time limit', () => {
    const fill = { action: 'BUY', pricePips: 4100, ts: 1000 } as const;
    assert.equal(confirms(fill, print({ pricePips: 4100 }), 5000), true);
    assert.equal(confirms(fill, print({ pricePips: 4200 }), 5000), false);
    assert.equal(confirms(fill, print({ ts: 900 }), 5000), false);
    assert.equal(confirms(fill, print({ ts: 7000 }), 5000), false);
  });

  it('never exceed the order, even if reading fees fails halfway', async () => {
    const clock = createManualClock(1_000_000);
    const fee = { rate: 0, exponent: 0 };
    const market = { conditionId: '0x1', isClosed: false, winningTokenId: null };
    const terms: MarketTerms = { ...market, fee, feePaidIn: 'shares' };
    let reads = 0;
    const feed = {
      book: async () => BOOK,
      terms: async () => (++reads === 2 ? Promise.reject(new Error('no answer')) : terms),
      printsSince: () => [],
      watch() {},
    };
    const venue = createPaperVenue({ feed, clock, cashMicro: 100 * MICRO, shares: new Map() });
    const wanted = { tokenId: '11', action: 'BUY', pricePips: 4200, sizeMicro: 60 * MICRO } as const;
    const prepared = await venue.prepare({ ...wanted, isNegRisk: false, expiresTs: Number.MAX_SAFE_INTEGER });
    await venue.send(prepared);
    clock.step(1_000);
    await assert.rejects(venue.openOrders(), /no answer/);
    await venue.openOrders();
    assert.equal((await venue.findOrder(prepared.orderId))?.matchedMicro, 60 * MICRO);
  });
});
