import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MICRO } from '../../domain/units.ts';
import type { Fill } from '../types.ts';
import { bookFill, computeBooks, findImbalance, heldMicro, positionsMicro } from './books.ts';

const TERMS = { rate: 0.05, exponent: 1 };

function fill(changes: Partial<Fill> = {}): Fill {
  return {
    fillId: 'f1',
    orderId: 'o1',
    tokenId: '11',
    action: 'BUY',
    pricePips: 4000,
    sizeMicro: 100 * MICRO,
    isTaker: true,
    status: 'confirmed',
    ts: 1000,
    ...changes,
  };
}

const START = { kind: 'start', ts: 0, cashMicro: 1000 * MICRO } as const;

describe('bookkeeping', () => {
  it('charges the taker fee in shares on a purchase and in dollars on a sale', () => {
    const bought = bookFill(fill(), TERMS, 'shares');
    assert.deepEqual([bought.feeSharesMicro, bought.feeUsdMicro], [3 * MICRO, 0]);
    const sold = bookFill(fill({ action: 'SELL' }), TERMS, 'shares');
    assert.deepEqual([sold.feeSharesMicro, sold.feeUsdMicro], [0, 1.2 * MICRO]);
    const made = bookFill(fill({ isTaker: false }), TERMS, 'shares');
    assert.deepEqual([made.feeSharesMicro, made.feeUsdMicro], [0, 0]);
  });

  it('keeps matched fills separate until they settle', () => {
    const provisional = computeBooks([START], [bookFill(fill({ status: 'provisional' }), TERMS, 'shares')]);
    assert.equal(provisional.confirmedCashMicro, 1000 * MICRO);
    assert.equal(provisional.cashMicro, 960 * MICRO);
    assert.equal(heldMicro(provisional, '11'), 97 * MICRO);
    assert.equal(provisional.positions.get('11')!.confirmedMicro, 0);
  });

  it('fully reverses a failed trade', () => {
    const books = computeBooks([START], [bookFill(fill({ status: 'failed' }), TERMS, 'shares')]);
    assert.equal(books.cashMicro, 1000 * MICRO);
    assert.equal(heldMicro(books, '11'), 0);
    assert.equal(books.feesMicro, 0);
  });

  it('realises profit at average cost on a sale, and the rest at settlement', () => {
    const buy = bookFill(fill({ isTaker: false }), TERMS, 'shares');
    const sell = bookFill(
      fill({
        fillId: 'f2',
        action: 'SELL',
        sizeMicro: 50 * MICRO,
        pricePips: 5000,
        isTaker: false,
        ts: 2000,
      }),
      TERMS,
      'shares',
    );
    const open = computeBooks([START], [buy, sell]);
    assert.equal(open.realisedMicro, 5 * MICRO);
    const over = computeBooks(
      [
        START,
        { kind: 'settlement', ts: 3000, tokenId: '11', sharesMicro: 50 * MICRO, paidMicro: 50 * MICRO },
      ],
      [buy, sell],
    );
    assert.equal(over.realisedMicro, 35 * MICRO);
    assert.equal(over.cashMicro, 1035 * MICRO);
    assert.equal(heldMicro(over, '11'), 0);
  });

  it('books a purchase before a sale in the same second, in any order of listing', () => {
    const [buy, sell] = [fill({ isTaker: false }), fill({ fillId: 'f2', action: 'SELL', isTaker: false })];
    const books = computeBooks(
      [START],
      [sell, buy].map((one) => bookFill(one, TERMS, 'shares')),
    );
    assert.deepEqual([books.positions.get('11')!.costMicro, books.realisedMicro], [0, 0]);
  });

  it('stays balanced through purchases, sales, fees, adjustments and settlement', () => {
    const entries = [
      START,
      { kind: 'adjustment', ts: 5, tokenId: null, deltaMicro: -7 },
      { kind: 'settlement', ts: 3000, tokenId: '11', sharesMicro: 47 * MICRO, paidMicro: 47 * MICRO },
    ] as const;
    const sold = { fillId: 'f2', action: 'SELL', sizeMicro: 50 * MICRO, pricePips: 5333, ts: 2000 } as const;
    const fills = [fill(), fill(sold)].map((one) => bookFill(one, TERMS, 'shares'));
    const books = computeBooks(entries, fills);
    assert.equal(findImbalance(books, entries), null);
    const gained = { ...books, cashMicro: books.cashMicro + MICRO };
    assert.match(findImbalance(gained, entries)!, /1 USD of unknown origin/);
    assert.match(findImbalance(computeBooks([START], [fills[1]!]), [START])!, /more shares of token 11 sold/);
  });

  it('values a position without shares at nothing, although rounding left some of its cost', () => {
    const bought = bookFill(fill({ isTaker: false }), TERMS, 'shares');
    const dust = {
      kind: 'adjustment',
      ts: 9,
      tokenId: bought.tokenId,
      deltaMicro: -bought.sizeMicro,
    } as const;
    assert.equal(positionsMicro(computeBooks([START, dust], [bought]), new Map()), 0);
  });

  it('adopts dust balances from the exchange', () => {
    const books = computeBooks(
      [
        START,
        { kind: 'adjustment', ts: 5, tokenId: null, deltaMicro: -7 },
        { kind: 'adjustment', ts: 6, tokenId: '11', deltaMicro: 3 },
      ],
      [],
    );
    assert.equal(books.confirmedCashMicro, 1000 * MICRO - 7);
    assert.equal(books.positions.get('11')!.confirmedMicro, 3);
  });
});
