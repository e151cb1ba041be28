import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MICRO } from '../../domain/units.ts';
import type { HaltKind } from '../decide/halts.ts';
import type { VenueOrder } from '../types.ts';
import {
  advise,
  type Bench,
  fillAll,
  item,
  kinds,
  live,
  openBench,
  openFilledBench,
  SECOND_MS,
} from './executor-bench.test-support.ts';
import type { OpportunityRow } from './read-advice.ts';
import { describeTurn } from './runner.ts';

const FOREIGN_ORDER: VenueOrder = {
  orderId: 'foreign',
  tokenId: '99',
  action: 'BUY',
  pricePips: 500,
  sizeMicro: 5 * MICRO,
  matchedMicro: 0,
  isLive: true,
};

const inState = ({ journal }: Bench, wanted: string) =>
  journal.intents().filter(({ state }) => state === wanted).length;

/** An order's expiry and the grace after it. */
const EXPIRED_S = 125;

const refuseAccess = async () => ({ isAllowed: false, reason: 'trading is blocked from XX' });

/** Buys for 10 USD, then drops the bid to a tenth; the other order stays open. */
function lose(bench: Bench, limits: Partial<Pick<Bench, 'dayLossUsd' | 'totalLossUsd'>>): void {
  fillAll(bench, '11');
  bench.venue.bidPips = 200;
  Object.assign(bench, limits);
}

describe('executor', () => {
  it('reconciles first, then places advised orders once', async () => {
    const bench = openBench();
    assert.deepEqual(kinds(await bench.turn()), []);
    assert.equal(live(bench), 1);
    await bench.turn();
    assert.equal(bench.venue.sent, 1);
  });

  const provocations: [HaltKind, (bench: Bench) => void, number?][] = [
    ['kill-switch', (bench) => void (bench.killedBy = 'stopped by command')],
    ['advice-blocked', (bench) => void (bench.blockedBy = 'the service does not trust its data')],
    ['advice-stale', (bench) => void (bench.isSilent = true), 6],
    ['advice-stale', (bench) => void (bench.adviceAgeMs = 6_000)],
    ['heartbeat', (bench) => void bench.venue.broken.add('heartbeat'), 11],
    ['exchange-unreachable', (bench) => void bench.venue.broken.add('openOrders'), 11],
    ['not-reconciled', (bench) => void (bench.venue.cash -= 5 * MICRO), 61],
    ['not-reconciled', (bench) => void bench.venue.orders.push({ ...FOREIGN_ORDER })],
    ['access', (bench) => void (bench.venue.checkAccess = refuseAccess), 60],
    ['access', (bench) => void bench.venue.broken.add('checkAccess'), 300],
    ['day-loss', (bench) => lose(bench, { dayLossUsd: 5 })],
    ['total-loss', (bench) => lose(bench, { totalLossUsd: 5 })],
  ];
  for (const [kind, provoke, noticedAfterS = 0] of provocations)
    it(`stops for ${kind}: no new orders within 2 s, no open orders within 5 s`, async () => {
      const bench = openBench();
      bench.items = [item(), item({ tokenId: '13', eventId: 3 })];
      await bench.turn();
      assert.equal(live(bench), 2);
      provoke(bench);
      // Runs regular cycles until the condition itself holds.
      for (let second = 0; second < noticedAfterS; second++) await bench.turn();
      bench.items.push(item({ tokenId: '12', eventId: 2 }));
      const sent = bench.venue.sent;
      const report = await bench.turn();
      assert.ok(kinds(report).includes(kind), `${kinds(report)}`);
      assert.equal(bench.venue.sent, sent, 'no order in the first cycle, one second later');
      assert.equal(live(bench), 0, 'cancelled in the same cycle');
    });

  const doubts: [string, Partial<OpportunityRow>, { account: string; reason: string }[]?][] = [
    ['the oracle counts more than we do', { settlement_delta: -1 }],
    ['our count is far ahead of the oracle', { settlement_delta: 11 }],
    ['settlement is at risk', { settlement_risk: 0.26 }],
    ['a feed is stale', { feeds: { own: { stale: true } } }],
    ['a feed does not say whether it is stale', { feeds: { own: {} } }],
    ['the advice is part of a set', { edge_kind: 'structure' }],
    ['the contract is listed on another venue', { venue: 'kalshi' }],
    ['results are outside their interval', {}, [{ account: 'account_a', reason: 'model advice halted' }]],
  ];
  for (const [reason, changes, halts = []] of doubts)
    it(`places no orders and cancels open ones while ${reason}`, async () => {
      const bench = openBench();
      bench.items = advise({});
      await bench.turn();
      assert.equal(live(bench), 1);
      bench.items = [...advise(changes, halts), ...advise({ token_id: '12', ...changes }, halts)];
      const report = await bench.turn();
      assert.equal(bench.venue.sent, 1, 'no order in the first cycle, one second later');
      assert.equal(live(bench), 0, 'cancelled in the same cycle');
      assert.equal(report.plan.skipped.length, 2, 'skipped with a reason');
      bench.items = advise({});
      await bench.turn();
      assert.equal(live(bench), 1, 'trades again once the reason is gone');
    });

  it('sends no more orders if the advice expires while earlier ones are being sent', async () => {
    const bench = openBench();
    bench.items = ['11', '12', '13', '14'].map((tokenId, eventId) => item({ tokenId, eventId }));
    const { send } = bench.venue;
    bench.venue.send = (prepared) => {
      bench.clock.step(4 * SECOND_MS);
      return send(prepared);
    };
    await bench.turn();
    assert.equal(bench.venue.sent, 2);
  });

  it('does not rely on earlier reads after the clock is set back', async () => {
    const bench = openBench();
    await bench.turn();
    bench.venue.broken.add('openOrders');
    bench.items.push(item({ tokenId: '12', eventId: 2 }));
    const report = await bench.turn(-3600 * SECOND_MS);
    assert.ok(kinds(report).includes('exchange-unreachable'), `${kinds(report)}`);
    assert.equal(bench.venue.sent, 1);
  });

  it('reads the exchange again if a change is reported during a read', async () => {
    const bench = openBench();
    const { openOrders } = bench.venue;
    let reads = 0;
    bench.venue.openOrders = () => {
      if (++reads === 1) bench.markChanged();
      return openOrders();
    };
    await bench.turn();
    await bench.turn(10);
    await bench.turn(10);
    assert.equal(reads, 2);
  });

  it('repeats a rejected order only after it has expired', async () => {
    const bench = openBench();
    bench.venue.outcome = { kind: 'refused', reason: 'not enough allowance' };
    await bench.turn();
    for (let second = 0; second < EXPIRED_S - 1; second++) await bench.turn();
    assert.equal(bench.venue.sent, 1);
    await bench.turn();
    assert.equal(bench.venue.sent, 2);
  });

  it('starts a trading day only once prices are known', async () => {
    const bench = await openFilledBench();
    bench.venue.bidPips = 200;
    await bench.turn();
    bench.venue.broken.add('books');
    const blind = await bench.turn(12 * 3600 * SECOND_MS);
    assert.match(describeTurn(blind, 'paper'), /^paper: profit unknown without prices, cash /);
    bench.venue.broken.clear();
    bench.dayLossUsd = 5;
    const report = await bench.turn();
    assert.equal(report.profitUsd, -9);
    assert.match(describeTurn(report, 'paper'), /^paper: -9\.00 USD, cash /);
    assert.deepEqual(kinds(report), [], 'lost yesterday');
  });

  it('counts shares without a bid, and losing shares not yet redeemed, as a loss', async () => {
    const bench = await openFilledBench();
    const { books } = bench.venue;
    bench.venue.books = async (ids) => (await books(ids)).map((book) => ({ ...book, bids: [] }));
    assert.equal((await bench.turn()).profitUsd, -10);
    bench.venue.books = books;
    assert.equal((await bench.turn()).profitUsd, -0.5);
    bench.venue.winner = '99';
    assert.equal((await bench.turn(61 * SECOND_MS)).profitUsd, -10);
  });

  it('checks access first and places no orders without it', async () => {
    const bench = openBench();
    bench.venue.checkAccess = refuseAccess;
    assert.deepEqual(kinds(await bench.turn()), ['access']);
    assert.equal(bench.venue.sent, 0);
  });

  it('stays halted by a loss limit until an operator lifts it', async () => {
    const bench = openBench();
    await bench.turn();
    bench.dayLossUsd = 0;
    await bench.turn();
    bench.dayLossUsd = 50;
    assert.deepEqual(kinds(await bench.turn()), ['day-loss']);
    bench.journal.liftHalts(bench.clock.now());
    assert.deepEqual(kinds(await bench.turn()), []);
  });

  it('places no orders in a cycle in which the exchange could not be read', async () => {
    const bench = await openFilledBench();
    bench.venue.broken.add('fillsSince');
    assert.deepEqual(kinds(await bench.turn()), []);
    assert.equal(bench.venue.sent, 1, 'it does not know yet that it holds the shares');
    bench.venue.broken.clear();
    await bench.turn();
    assert.equal(bench.venue.sent, 1);
  });

  it('does not buy shares back while their sale may still fail', async () => {
    const bench = await openFilledBench();
    bench.items = [item({ action: 'SELL', limitPips: 1900 })];
    await bench.turn();
    const sale = bench.venue.orders.at(-1)!;
    assert.equal(sale.action, 'SELL');
    const [cash, shares] = [bench.venue.cash, bench.venue.shares.get('11')!];
    fillAll(bench);
    bench.venue.fills.at(-1)!.status = 'provisional';
    bench.items = [item()];
    await bench.turn();
    assert.equal(bench.venue.sent, 2, 'the sale is matched, not settled');
    bench.venue.fills.at(-1)!.status = 'failed';
    bench.venue.cash = cash;
    bench.venue.shares.set('11', shares);
    await bench.turn();
    assert.equal(bench.venue.sent, 2, 'the failed sale returned the shares');
  });

  it('does not sell the same shares twice while their sale settles', async () => {
    const bench = await openFilledBench();
    bench.items = [item({ action: 'SELL', limitPips: 1900 })];
    await bench.turn();
    fillAll(bench);
    bench.venue.fills.at(-1)!.status = 'provisional';
    await bench.turn();
    assert.equal(bench.venue.sent, 2);
  });

  it('does not repeat an order that got no response', async () => {
    const bench = openBench();
    bench.venue.outcome = { kind: 'unknown', reason: 'connection reset' };
    await bench.turn();
    await bench.turn();
    assert.equal(bench.venue.sent, 1);
    assert.equal(inState(bench, 'open'), 1, 'found on the exchange');
  });

  it('gives up on an order that never arrived, and only then places another', async () => {
    const bench = openBench();
    bench.venue.outcome = { kind: 'unknown', reason: 'connection reset' };
    await bench.turn();
    bench.venue.orders.length = 0;
    await bench.turn();
    assert.equal(bench.venue.sent, 1);
    for (let second = 0; second < EXPIRED_S - 2; second++) await bench.turn();
    assert.equal(bench.venue.sent, 1);
    bench.venue.outcome = { kind: 'accepted' };
    await bench.turn();
    assert.equal(inState(bench, 'void'), 1);
    assert.equal(live(bench), 1);
  });

  it('counts an order that arrives between two reads', async () => {
    const bench = openBench();
    bench.venue.outcome = { kind: 'unknown', reason: 'connection reset' };
    await bench.turn();
    const late = bench.venue.orders.splice(0);
    const list = bench.venue.openOrders;
    bench.venue.openOrders = async () => {
      const listed = [...(await list())];
      bench.venue.orders.push(...late.splice(0));
      return listed;
    };
    for (let second = 0; second < 3; second++) await bench.turn();
    assert.equal(bench.venue.sent, 1, 'no second order for the same advice');
    assert.equal(inState(bench, 'open'), 1);
  });

  it('does not repeat a filled order before its fills are listed', async () => {
    const bench = openBench();
    await bench.turn();
    const [order] = bench.venue.orders;
    Object.assign(order!, { isLive: false, matchedMicro: order!.sizeMicro });
    await bench.turn();
    await bench.turn();
    assert.equal(bench.venue.sent, 1);
  });

  it('adopts rounding differences within seconds of a fill', async () => {
    const bench = await openFilledBench();
    bench.venue.cash += 1;
    for (let second = 0; second < 6; second++) await bench.turn();
    assert.equal((await bench.turn()).cashMicro, bench.venue.cash);
  });

  it('does not halt while a matched trade settles between two reads', async () => {
    const bench = await openFilledBench();
    const list = bench.venue.fillsSince;
    bench.venue.fillsSince = async (ts) =>
      (await list(ts)).map((fill) => ({ ...fill, status: 'provisional' }));
    for (let second = 0; second < 6; second++) assert.deepEqual(kinds(await bench.turn()), []);
    bench.venue.shares.set('11', 60 * MICRO);
    for (let second = 0; second < 5; second++) await bench.turn();
    assert.deepEqual(kinds(await bench.turn()), ['not-reconciled'], 'more than the trade explains');
  });

  it('settles a market that resolved between two reads, without halting', async () => {
    const bench = openBench();
    bench.items = [item(), item({ tokenId: '12', eventId: 2 })];
    await bench.turn();
    const [, second] = bench.venue.orders;
    second!.isLive = false;
    fillAll(bench);
    await bench.turn();
    second!.isLive = true;
    bench.venue.winner = '11';
    bench.venue.cash += bench.venue.shares.get('11')!;
    bench.venue.shares.delete('11');
    fillAll(bench);
    for (let turn = 0; turn < 6; turn++) assert.deepEqual(kinds(await bench.turn()), []);
    assert.equal(bench.journal.entries().filter(({ kind }) => kind === 'settlement').length, 1);
  });

  it('remembers its orders after a restart', async () => {
    const before = await openFilledBench();
    const after = openBench(before.venue, before.journal);
    assert.deepEqual(kinds(await after.turn()), []);
    assert.equal(after.venue.sent, 1, 'the shares are held already');
  });

  it('refuses to trade if the account has foreign orders', async () => {
    const bench = openBench();
    bench.venue.orders.push({ ...FOREIGN_ORDER });
    const { halts } = await bench.turn();
    assert.match(halts[0]!.reason, /foreign on the exchange is not in the journal/);
  });

  it('sells everything at the best bid when flattened', async () => {
    const bench = await openFilledBench();
    await bench.turn();
    bench.isFlattening = true;
    await bench.turn();
    const [sale] = bench.venue.orders.filter(({ isLive }) => isLive);
    assert.deepEqual([sale!.action, sale!.pricePips, sale!.sizeMicro], ['SELL', 1900, 50 * MICRO]);
  });

  it('settles decided markets', async () => {
    const bench = await openFilledBench();
    await bench.turn();
    bench.items = [];
    bench.venue.winner = '11';
    bench.venue.shares.clear();
    bench.venue.cash += 50 * MICRO;
    const report = await bench.turn(61 * SECOND_MS);
    assert.deepEqual(kinds(report), []);
    assert.equal(report.profitUsd, 40);
  });
});
