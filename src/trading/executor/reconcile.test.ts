import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { violationsDuring } from '../../../test/support/violations.ts';
import { MICRO } from '../../domain/units.ts';
import { openJournal } from '../journal/journal.ts';
import { createBookkeeper } from './collect-fills.ts';
import { createFakeVenue } from './fake-venue.test-support.ts';
import { reconcile } from './reconcile.ts';

describe('reconciliation', () => {
  it('blocks trading when the books do not balance', async () => {
    const venue = createFakeVenue();
    const journal = openJournal(':memory:');
    journal.addEntry({ kind: 'start', ts: 0, cashMicro: 1000 * MICRO });
    const sold = { fillId: 'f', orderId: 'o', tokenId: '9', action: 'SELL', pricePips: 5000, ts: 1 } as const;
    const fees = { feeUsdMicro: 0, feeSharesMicro: 0, isTaker: false, status: 'confirmed' } as const;
    journal.saveFill({ ...sold, ...fees, sizeMicro: 10 * MICRO });
    const bookkeeper = createBookkeeper(venue, journal);
    const parts = { venue, journal, bookkeeper, open: [], ended: [], comparesAll: true, exchangeTs: 2 };
    let reason: string | null = null;
    const found = await violationsDuring(async () => {
      reason = await reconcile(parts);
    });
    assert.deepEqual(found, ['books-unbalanced']);
    assert.match(reason!, /more shares of token 9 sold/);
  });
});
