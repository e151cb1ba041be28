import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MICRO } from '../../domain/units.ts';
import type { HandRequest } from '../journal/hand-orders.ts';
import { makeReport } from '../report/report.ts';
import { type Bench, fillAll, item, live, openBench, START_TS } from './executor-bench.test-support.ts';

function request({ journal }: Bench, changes: Partial<HandRequest> = {}): number {
  const order: HandRequest = {
    account: 'account_a',
    eventId: 7,
    bucket: '340-359',
    outcome: 'Yes',
    tokenId: '77',
    limitPips: 1500,
    sizeMicro: 20 * MICRO,
    probability: 0.1,
    endTs: START_TS + 86_400_000,
    ...changes,
  };
  return journal.handOrders.add(order, START_TS);
}

function openWithoutAdvice(): Bench {
  const bench = openBench();
  bench.items = [];
  return bench;
}

const placed = ({ venue }: Bench) =>
  venue.orders.map(({ tokenId, sizeMicro }) => [tokenId, sizeMicro / MICRO]);

describe('manual order', () => {
  it('is placed once, even below the ask and without an edge, and rests until it fills', async () => {
    const bench = openWithoutAdvice();
    const id = request(bench);
    for (let turn = 0; turn < 3; turn++) await bench.turn();
    assert.deepEqual(placed(bench), [['77', 20]]);
    assert.equal(live(bench), 1);
    assert.equal(bench.journal.handOrders.find(id)!.state, 'placed');
    fillAll(bench);
    await bench.turn();
    assert.equal(bench.venue.sent, 1);
  });

  it('waits for the next cycle if requested while books are being read', async () => {
    const bench = openBench();
    const { books } = bench.venue;
    let id: number | null = null;
    bench.venue.books = (tokenIds) => {
      id ??= request(bench);
      return books(tokenIds);
    };
    await bench.turn();
    assert.equal(bench.journal.handOrders.find(id!)!.state, 'waiting');
    await bench.turn();
    assert.equal(bench.journal.handOrders.find(id!)!.state, 'placed');
  });

  it('respects the caps', async () => {
    const bench = openWithoutAdvice();
    request(bench, { sizeMicro: 1000 * MICRO });
    await bench.turn();
    assert.deepEqual(placed(bench), [['77', 133]], '20 USD per order');
  });

  it('is refused with a reason during a halt, near the end and below the minimum order', async () => {
    const cases: [(bench: Bench) => number, RegExp][] = [
      [(bench) => request(Object.assign(bench, { killedBy: 'lunch' })), /^lunch$/],
      [(bench) => request(bench, { endTs: START_TS + 60_000 }), /too close to the end/],
      [(bench) => request(bench, { sizeMicro: 4 * MICRO }), /minimum order/],
      [(bench) => request(Object.assign(bench, { isFlattening: true })), /all positions are being sold/],
    ];
    for (const [ask, reason] of cases) {
      const bench = openWithoutAdvice();
      const id = ask(bench);
      await bench.turn();
      const answer = bench.journal.handOrders.find(id)!;
      assert.equal(answer.state, 'refused');
      assert.match(answer.detail, reason);
      assert.equal(bench.venue.sent, 0);
    }
  });

  it('is refused on buckets that the strategy trades, and the strategy skips manually traded buckets', async () => {
    const bench = openBench();
    await bench.turn();
    const onOpen = request(bench, { tokenId: '11' });
    await bench.turn();
    assert.match(bench.journal.handOrders.find(onOpen)!.detail, /is already open/);
    assert.equal(live(bench), 1, "the strategy's order stays");
    fillAll(bench);
    await bench.turn();
    const onHeld = request(bench, { tokenId: '11' });
    request(bench);
    await bench.turn();
    assert.match(bench.journal.handOrders.find(onHeld)!.detail, /the strategy has traded/);
    fillAll(bench);
    bench.items = [item(), item({ tokenId: '77' })];
    const { plan } = await bench.turn();
    assert.deepEqual(
      plan.skipped.map(({ item: { tokenId }, reason }) => [tokenId, reason]),
      [['77', 'bought by hand']],
    );
  });

  it("is excluded from the strategy's results", async () => {
    const bench = openBench();
    request(bench);
    await bench.turn();
    fillAll(bench);
    await bench.turn();
    const { journal } = bench;
    const report = makeReport({
      intents: journal.intents(),
      fills: journal.fills(),
      entries: journal.entries(),
      equity: [],
    });
    assert.deepEqual([report.fills, report.handFills, report.capacityUsdPerDay], [2, 1, 10]);
    assert.deepEqual(
      report.kinds.map(({ edgeKind }) => edgeKind),
      ['model'],
    );
    assert.deepEqual([report.byHand!.filledOrders, report.byHand!.spentUsd], [1, 3]);
    assert.equal(report.openCostUsd, 13);
  });
});
