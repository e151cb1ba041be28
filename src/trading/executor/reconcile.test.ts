import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { violationsDuring } from '../../../test/support/violations.ts';
import { feeUsdMicro } from '../../domain/taker-fee.ts';
import { MICRO } from '../../domain/units.ts';
import { openJournal } from '../journal/journal.ts';
import type { Fill } from '../types.ts';
import { createBookkeeper } from './collect-fills.ts';
import { type Bench, fillAll, item, kinds, openBench, SECOND_MS } from './executor-bench.test-support.ts';
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

const MINUTE_MS = 60 * SECOND_MS;
const FEE = { rate: 0.05, exponent: 1 };
const TRADE_MICRO = MICRO / 5;

/** Bought with a fee of 40 cents, which is how far the balances may be off for ten minutes. */
async function buyWithFee(): Promise<Bench> {
  const bench = openBench();
  const { terms } = bench.venue;
  bench.venue.terms = async (id) => ({ ...(await terms(id)), fee: FEE, feePaidIn: 'usd' });
  bench.items = [item()];
  await bench.turn();
  fillAll(bench);
  bench.venue.cash -= feeUsdMicro(50 * MICRO, 2000, FEE);
  await bench.turn(MINUTE_MS);
  return bench;
}

/** One share for 20 cents is paid; the exchange lists the trade whenever the test adds it. */
async function payUnlisted(bench: Bench): Promise<Fill> {
  bench.items = [item({ tokenId: '12', eventId: 2 })];
  await bench.turn();
  const { orderId, tokenId, action, pricePips } = bench.venue.orders.at(-1)!;
  bench.venue.cash -= TRADE_MICRO;
  bench.venue.shares.set('12', MICRO);
  const ts = bench.clock.now();
  const order = { orderId, tokenId, action, pricePips, sizeMicro: MICRO };
  return { ...order, fillId: 'late', isTaker: false, status: 'confirmed', ts };
}

const adjustments = ({ journal }: Bench) => journal.entries().filter(({ kind }) => kind === 'adjustment');

describe('a small trade that is paid but not listed', () => {
  it('is no fee, although the exchange once showed a time that was cut off', async () => {
    const bench = await buyWithFee();
    const { now } = bench.venue;
    await bench.turn(20 * MINUTE_MS);
    bench.venue.now = () => Math.floor(now() / 1e6);
    await bench.turn(MINUTE_MS);
    bench.venue.now = now;
    bench.venue.cash -= TRADE_MICRO;
    assert.deepEqual(kinds(await bench.turn(MINUTE_MS)), ['not-reconciled']);
    assert.deepEqual(adjustments(bench), []);
  });

  it('is not adopted while the trades cannot be read', async () => {
    const bench = await buyWithFee();
    bench.venue.fills.push(await payUnlisted(bench));
    bench.venue.broken.add('fillsSince');
    await bench.turn(MINUTE_MS);
    bench.venue.broken.clear();
    assert.deepEqual(kinds(await bench.turn(MINUTE_MS)), []);
    assert.deepEqual(adjustments(bench), []);
  });

  it('takes back what an earlier version adopted for it, and nothing beyond that', async () => {
    const bench = openBench();
    await bench.turn();
    const ts = bench.clock.now();
    bench.journal.addEntry({ kind: 'adjustment', ts, tokenId: null, deltaMicro: -10 * MICRO });
    fillAll(bench);
    bench.items = [];
    const reopened = openBench(bench.venue, bench.journal);
    assert.deepEqual(kinds(await reopened.turn(MINUTE_MS)), []);
    assert.equal(reopened.executor().books().confirmedCashMicro, bench.venue.cash);
    assert.deepEqual(bench.journal.unreleased(), [], 'its order has ended');
    bench.venue.cash -= 10 * MICRO;
    assert.deepEqual(kinds(await reopened.turn(2 * MINUTE_MS)), ['not-reconciled']);
  });
});
