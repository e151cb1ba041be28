// Runs the executor once a second, or sooner after a change; records the equity curve; shuts down cleanly.

import { MICRO } from '../../domain/units.ts';
import type { Clock } from '../../runtime/clock.ts';
import { errorMessage } from '../../runtime/errors.ts';
import type { Logger } from '../../runtime/logger.ts';
import { createRepeat } from '../../runtime/repeat.ts';
import { maxDrawdown, netEquity, startMicro } from '../books/books.ts';
import { type EquityPoint, type Journal, keepMarks } from '../journal/journal.ts';
import type { CycleReport, Executor } from './cycle.ts';

export interface Runner {
  start(): Promise<void>;
  /** Starts the next cycle now, because something changed. */
  wake(): void;
  /** Cancels every order, then stops. */
  stop(): Promise<void>;
}

export interface RunnerOptions {
  executor: Executor;
  journal: Journal;
  /** The operator's reason to stop; checked also while a cycle is waiting for the exchange. */
  readKillSwitch(): string | null;
  /** Paces the cycles in wall-clock time. */
  clock: Clock;
  logger: Logger;
  onReport(report: CycleReport): void;
}

const TURN_MS = 1_000;
const MIN_GAP_MS = 20;
/** A cycle that takes longer is cut short. */
const MAX_CYCLE_MS = 8_000;
const KILL_CHECK_MS = 500;
const EQUITY_EVERY_MS = 5 * 60_000;

export function createRunner({ executor, journal, clock, logger, ...options }: RunnerOptions): Runner {
  let equityTs = 0;
  let course: EquityPoint[] | null = null;
  let cycle = new AbortController();
  let isWithdrawn = false;

  /** Every five minutes, and at each new high and each deeper drawdown. */
  function keepEquity({ ts, profitUsd, cashMicro, marks, isPriced }: CycleReport): void {
    if (!isPriced) return;
    keepMarks(journal, { ts, marks });
    const entries = journal.entries();
    const equityMicro = startMicro(entries) + Math.round(profitUsd * MICRO);
    const point = { ts, equityMicro, cashMicro };
    course ??= journal.equity();
    const isDue = ts - equityTs >= EQUITY_EVERY_MS;
    if (!isDue && !isExtreme(netEquity(entries, course), netEquity(entries, [point])[1]!)) return;
    equityTs = ts;
    journal.addEquity(point);
    course.push(point);
  }

  const turning = createRepeat({
    clock,
    pauseMs: TURN_MS,
    leastGapMs: MIN_GAP_MS,
    async run(stopping) {
      cycle = new AbortController();
      const cancelTimer = clock.after(MAX_CYCLE_MS, () => cycle.abort(new Error('the cycle took too long')));
      const report = await executor.cycle(AbortSignal.any([stopping, cycle.signal])).finally(cancelTimer);
      keepEquity(report);
      options.onReport(report);
    },
    onError: (error) => logger.error({ error: errorMessage(error) }, 'trading cycle failed'),
  });

  /** Stops outside the cycle, which may be waiting for a slow exchange. */
  const watching = createRepeat({
    clock,
    pauseMs: KILL_CHECK_MS,
    async run() {
      const isKilled = options.readKillSwitch() !== null;
      if (isKilled && !isWithdrawn) cycle.abort(new Error('stopped by the operator'));
      // Again and again: an order that was on its way may arrive after the others were cancelled.
      if (isKilled && (!isWithdrawn || executor.mayHaveOrders())) await executor.withdraw();
      isWithdrawn = isKilled;
    },
    onError: (error) => logger.error({ error: errorMessage(error) }, 'order cancellation failed'),
  });

  return {
    async start() {
      await watching.start();
      await turning.start();
    },
    wake: () => turning.wake(),
    async stop() {
      await Promise.all([turning.stop(), watching.stop()]);
      await executor
        .withdraw()
        .catch((error) => logger.error({ error: errorMessage(error) }, 'order cancellation failed'));
    },
  };
}

function isExtreme(course: readonly { equityMicro: number }[], point: { equityMicro: number }): boolean {
  const isHigh = course.every(({ equityMicro }) => equityMicro < point.equityMicro);
  return isHigh || maxDrawdown([...course, point]) > maxDrawdown(course);
}

// Formats a cycle as one terminal line, and the state for /status and `trade status`.

export function describeTurn(report: CycleReport, mode: string): string {
  const profit = `${report.profitUsd >= 0 ? '+' : ''}${report.profitUsd.toFixed(2)} USD`;
  const money = report.isValued ? profit : 'profit unknown without prices';
  const head = `${mode}: ${money}, cash ${(report.cashMicro / MICRO).toFixed(2)} USD, ${report.openOrders} open orders`;
  if (report.halts.length > 0)
    return `${head}; halted: ${report.halts.map(({ reason }) => reason).join('; ')}`;
  const warned = report.warning === null ? '' : `; warning: ${report.warning}`;
  const placed = report.plan.placements.map(
    ({ action, sizeMicro, pricePips, item }) =>
      `${action === 'BUY' ? 'buy' : 'sell'} ${sizeMicro / MICRO} ${item.outcome} of ${item.bucket} at ${pricePips / 10_000}`,
  );
  return placed.length === 0 ? `${head}${warned}` : `${head}; ${placed.join(', ')}${warned}`;
}

/** Advice that is not followed, grouped by reason; null if there is none. */
export function describeSkipped({ plan }: CycleReport): string | null {
  const groups = Map.groupBy(plan.skipped, ({ reason }) => reason);
  if (groups.size === 0) return null;
  return `not followed: ${[...groups].map(([reason, items]) => `${items.length} × ${reason}`).join(', ')}`;
}
