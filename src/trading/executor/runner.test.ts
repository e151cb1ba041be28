import assert from 'node:assert/strict';
import { it } from 'node:test';
import { MICRO } from '../../domain/micro-units.ts';
import { createManualClock } from '../../runtime/clock.ts';
import { silentLogger } from '../../runtime/logger.ts';
import { maxDrawdown } from '../books/books.ts';
import { openJournal, readMarks } from '../journal/journal.ts';
import type { Executor } from './cycle.ts';
import { createRunner } from './runner.ts';

it('keeps highs and deeper drawdowns between two points of the equity curve', async () => {
  const journal = openJournal(':memory:');
  journal.addEntry({ kind: 'start', ts: 0, cashMicro: 500 * MICRO });
  const clock = createManualClock(1_800_000_000_000);
  const profits = [0, 1, -2.08, 0.5, -1];
  const plan = { cancels: [], placements: [], skipped: [] };
  const executor: Pick<Executor, 'cycle' | 'withdraw'> = {
    async cycle() {
      const profitUsd = profits.shift() ?? 0;
      const marks = new Map([['7', 4000]]);
      const money = { profitUsd, marks, cashMicro: 500 * MICRO, warning: null, isPriced: true };
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
