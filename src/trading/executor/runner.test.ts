import assert from 'node:assert/strict';
import { it } from 'node:test';
import { MICRO } from '../../domain/units.ts';
import { createManualClock } from '../../runtime/clock.ts';
import { silentLogger } from '../../runtime/logger.ts';
import { maxDrawdown } from '../books/books.ts';
import { openJournal, readMarks } from '../journal/journal.ts';
import type { Executor } from './cycle.ts';
import { live, openBench } from './executor-bench.test-support.ts';
import { createRunner } from './runner.ts';

it('stops within 2 s although a list of the exchange never ends, and again if an order arrives late', async () => {
  const bench = openBench();
  await bench.turn();
  bench.venue.openOrders = () => new Promise(() => {});
  bench.markChanged();
  const runner = createRunner({
    ...{ executor: bench.executor(), journal: bench.journal, clock: bench.clock, logger: silentLogger },
    readKillSwitch: () => bench.killedBy,
    onReport() {},
  });
  const starting = runner.start();
  await bench.clock.advanceAsync(1_000);
  assert.equal(live(bench), 1);
  bench.killedBy = 'lunch';
  for (let second = 0; second < 2; second++) await bench.clock.advanceAsync(1_000);
  assert.equal(live(bench), 0);
  bench.venue.orders[0]!.isLive = true;
  for (let second = 0; second < 2; second++) await bench.clock.advanceAsync(1_000);
  assert.equal(live(bench), 0);
  await Promise.all([runner.stop(), starting]);
  assert.equal(bench.venue.sent, 1);
  bench.journal.close();
});

it('keeps highs and deeper drawdowns between two points of the equity curve', async () => {
  const journal = openJournal(':memory:');
  journal.addEntry({ kind: 'start', ts: 0, cashMicro: 500 * MICRO });
  const clock = createManualClock(1_800_000_000_000);
  const profits = [0, 1, -2.08, 0.5, -1];
  const plan = { cancels: [], placements: [], skipped: [] };
  const executor: Pick<Executor, 'cycle' | 'withdraw' | 'mayHaveOrders'> = {
    mayHaveOrders: () => false,
    async cycle() {
      const profitUsd = profits.shift() ?? 0;
      const marks = new Map([['7', 4000]]);
      const money = {
        profitUsd,
        marks,
        cashMicro: 500 * MICRO,
        warning: null,
        isPriced: true,
        isValued: true,
      };
      return { ts: clock.now(), halts: [], plan, openOrders: 0, ...money };
    },
    async withdraw() {},
  };
  const runner = createRunner({
    executor: executor as Executor,
    journal,
    readKillSwitch: () => null,
    clock,
    logger: silentLogger,
    onReport() {},
  });
  await runner.start();
  for (let second = 0; second < 6; second++) await clock.advanceAsync(1_000);
  await runner.stop();
  assert.deepEqual(
    journal.equity().map(({ equityMicro }) => equityMicro / MICRO),
    [500, 501, 497.92],
  );
  assert.equal(maxDrawdown(journal.equity()), 3.08 * MICRO);
  assert.equal(readMarks(journal)?.marks.get('7'), 4000);
  journal.close();
});
