import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MICRO } from '../../domain/units.ts';
import { advise, fillAll, item, kinds, live, openBench, SECOND_MS } from './executor-bench.test-support.ts';
import { runHostileScript } from './hostile-script.test-support.ts';

const reasons = (report: { halts: readonly { reason: string }[] }) =>
  report.halts.map(({ reason }) => reason).join();

describe('an executor that is made to overspend', () => {
  it('counts an order that arrives 40 s late from before it was sent', async () => {
    const bench = openBench();
    bench.venue.outcome = { kind: 'unknown', reason: 'timeout' };
    bench.items = [item({ targetMicro: 100 * MICRO })];
    await bench.turn();
    const late = bench.venue.orders.splice(0);
    for (let second = 0; second < 40; second++) await bench.turn();
    assert.equal(bench.venue.sent, 1, 'nothing more is sent in that market');
    bench.venue.orders.push(...late);
    fillAll(bench);
    bench.venue.outcome = { kind: 'accepted' };
    for (let second = 0; second < 200; second++) {
      await bench.turn();
      fillAll(bench);
    }
    assert.equal(bench.venue.shares.get('11'), 100 * MICRO);
  });

  it('keeps the dollars reserved that a vanished order may still have spent', async () => {
    const bench = openBench();
    bench.items = [item({ targetMicro: 50 * MICRO })];
    await bench.turn();
    // It got its shares at half the limit; the trade of the other five dollars is not listed yet.
    const [order] = bench.venue.orders.splice(0);
    const { orderId, tokenId, action } = order!;
    const fill = { fillId: 'f', orderId, tokenId, action, pricePips: 1000, sizeMicro: 50 * MICRO };
    bench.venue.fills.push({ ...fill, isTaker: true, status: 'confirmed', ts: bench.clock.now() });
    bench.venue.cash -= 5 * MICRO;
    bench.venue.shares.set(tokenId, 50 * MICRO);
    bench.items = [item({ targetMicro: 500 * MICRO })];
    for (let second = 0; second < 60; second++) await bench.turn();
    assert.deepEqual(
      bench.journal.unreleased().map((one) => one.orderId),
      [orderId],
    );
    assert.equal(bench.venue.sent, 1);
  });

  it('keeps the money of a failed trade reserved until its order has expired', async () => {
    const bench = openBench();
    await bench.turn();
    fillAll(bench);
    await bench.turn();
    await bench.turn();
    assert.deepEqual(bench.journal.unreleased(), [], 'its dollars count as bought');
    bench.venue.fills[0]!.status = 'failed';
    bench.venue.cash = 1000 * MICRO;
    bench.venue.shares.clear();
    bench.items = [];
    await bench.turn();
    assert.equal(bench.journal.unreleased().length, 1);
    for (let second = 0; second < 130; second++) await bench.turn();
    assert.deepEqual(bench.journal.unreleased(), []);
  });

  it('sends nothing more for a failed trade whose shares are still there', async () => {
    const bench = openBench();
    await bench.turn();
    fillAll(bench);
    for (let second = 0; second < 130; second++) await bench.turn();
    bench.venue.fills[0]!.status = 'failed';
    for (let second = 0; second < 10; second++)
      assert.match(reasons(await bench.turn()), /shows 50 shares more than the books/);
    assert.equal(bench.venue.sent, 1);
  });

  it('ignores and reports a fill that shrinks, or that is not of the order that was signed', async () => {
    const bench = openBench();
    await bench.turn();
    fillAll(bench);
    await bench.turn();
    bench.venue.fills[0]!.sizeMicro = 10 * MICRO;
    assert.match(reasons(await bench.turn()), /changed the fill/);
    bench.venue.fills[0]!.sizeMicro = 50 * MICRO;
    bench.venue.fills.push({ ...bench.venue.fills[0]!, fillId: 'other', action: 'SELL' });
    assert.match(reasons(await bench.turn()), /a fill of order order-0 with other terms/);
    assert.equal(bench.executor().books().positions.get('11')!.confirmedMicro, 50 * MICRO);
  });

  it('gives every order an expiry by the time of the exchange', async () => {
    const bench = openBench();
    bench.venue.now = () => bench.clock.now() + 20 * SECOND_MS;
    await bench.turn();
    assert.equal(bench.journal.intents()[0]!.expiresTs, bench.venue.now() + 120 * SECOND_MS);
  });

  it('replaces an open order before it expires, and only once its cancellation was acknowledged', async () => {
    const bench = openBench();
    await bench.turn();
    bench.venue.cancel = async () => [];
    for (let second = 0; second < 60; second++) await bench.turn();
    assert.equal(bench.venue.sent, 1);
    assert.equal(live(bench), 1, 'still counted as open');
  });

  it('halts if the exchange shows an order filled beyond its size, and counts the order in full', async () => {
    const bench = openBench();
    bench.items = [item({ targetMicro: 5000 * MICRO })];
    await bench.turn();
    bench.venue.orders[0]!.matchedMicro = 4000 * MICRO;
    const report = await bench.turn();
    assert.match(reasons(report), /filled beyond its size/);
    assert.equal(bench.venue.sent, 1);
  });

  it('halts if the exchange lists an order with other terms than were signed', async () => {
    const bench = openBench();
    await bench.turn();
    bench.venue.orders[0]!.sizeMicro = 5 * MICRO;
    assert.match(reasons(await bench.turn()), /other terms than were signed/);
  });

  it('halts while the clocks differ, and does not lose a fill after a clock jump', async () => {
    const bench = openBench();
    await bench.turn();
    const jumpMs = 3_600 * SECOND_MS;
    bench.venue.now = () => bench.clock.now() - jumpMs;
    bench.venue.broken.add('cancelAll');
    assert.ok(kinds(await bench.turn(jumpMs)).includes('clock'));
    bench.venue.now = bench.clock.now;
    await bench.turn(-jumpMs);
    fillAll(bench);
    await bench.turn();
    assert.equal(bench.journal.fills().length, 1);
  });

  it('reads fills from before the time that an earlier clock jump had left in the journal', async () => {
    const bench = openBench();
    bench.journal.setNote('fills-since', String(bench.clock.now() + 86_400_000));
    await bench.turn();
    fillAll(bench);
    await bench.turn();
    assert.equal(bench.journal.fills().length, 1);
  });

  it('cancels first and records the loss halt afterwards, also if the disk is full', async () => {
    const bench = openBench();
    bench.items = [item(), item({ tokenId: '13', eventId: 3 })];
    await bench.turn();
    fillAll(bench, '11');
    bench.venue.bidPips = 200;
    bench.dayLossUsd = 5;
    bench.journal.addHalt = () => {
      throw new Error('database or disk is full');
    };
    await assert.rejects(bench.turn(), /disk is full/);
    assert.equal(live(bench), 0);
  });

  it('withdraws everything if the journal cannot be written', async () => {
    const bench = openBench();
    await bench.turn();
    bench.journal.halts = () => {
      throw new Error('disk I/O error');
    };
    await assert.rejects(bench.turn(), /disk I\/O error/);
    assert.equal(live(bench), 0);
  });

  it('ends a cycle at once when interrupted', async () => {
    const bench = openBench();
    bench.venue.openOrders = () => new Promise(() => {});
    const stop = new AbortController();
    const running = bench.turn(SECOND_MS, stop.signal);
    stop.abort(new Error('stopped'));
    assert.equal((await running).plan.placements.length, 0);
  });

  it('applies its minimum gain and the depth to advice of an unknown kind', async () => {
    const bench = openBench();
    bench.items = advise({ edge_kind: 'sure', gain_per_usd: 0 });
    const report = await bench.turn();
    assert.equal(report.plan.skipped[0]!.reason, 'expected gain below the minimum');
    assert.equal(bench.venue.sent, 0);
  });

  it('follows one of several rows for the same token', async () => {
    const bench = openBench();
    bench.items = [item(), item(), item()];
    await bench.turn();
    assert.deepEqual(
      bench.venue.orders.map(({ sizeMicro }) => sizeMicro),
      [50 * MICRO],
    );
  });

  it('applies event and account caps to one market under any labels', async () => {
    const bench = openBench();
    for (let eventId = 1; eventId < 30; eventId++) {
      bench.items = [item({ eventId, account: `account ${eventId}`, targetMicro: 5000 * MICRO })];
      await bench.turn();
      fillAll(bench);
    }
    assert.equal(bench.venue.shares.get('11')! * 0.2, 50 * MICRO, 'the event cap');
  });

  it('does not sell far below the best bid, or for nothing', async () => {
    const bench = openBench();
    await bench.turn();
    fillAll(bench);
    bench.items = [item({ action: 'SELL', limitPips: 0 })];
    await bench.turn();
    assert.equal(bench.venue.orders.at(-1)!.pricePips, 1800, 'a tick above nine tenths of 1900');
    bench.venue.bidPips = 0;
    bench.venue.orders.at(-1)!.isLive = false;
    for (let second = 0; second < 130; second++) await bench.turn();
    assert.equal(bench.venue.sent, 2);
  });

  it('exceeds no cap and doubles no order on an exchange that is delayed, silent, lying or blind', async () => {
    let fills = 0;
    for (let seed = 1; seed <= 40; seed++) {
      const script = await runHostileScript(seed);
      assert.deepEqual(script.wrong, []);
      fills += script.fills;
    }
    assert.ok(fills > 40, `${fills} fills`);
  });
});
