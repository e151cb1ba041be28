// Formats a cycle as one terminal line, and the state for /status and `trade status`.

import { MICRO } from '../../domain/micro-units.ts';
import { BY_HAND } from '../types.ts';
import type { CycleReport } from './cycle.ts';

export function describeTurn(report: CycleReport, mode: string): string {
  const money = `${report.profitUsd >= 0 ? '+' : ''}${report.profitUsd.toFixed(2)} USD`;
  const head = `${mode}: ${money}, cash ${(report.cashMicro / MICRO).toFixed(2)} USD, ${report.openOrders} open orders`;
  if (report.halts.length > 0)
    return `${head}; halted: ${report.halts.map(({ reason }) => reason).join('; ')}`;
  const placed = report.plan.placements.map(
    ({ action, sizeMicro, pricePips, item }) =>
      `${action === 'BUY' ? 'buy' : 'sell'} ${sizeMicro / MICRO} ${item.outcome} of ${item.bucket} at ${pricePips / 10_000}${item.edgeKind === BY_HAND ? ' (by hand)' : ''}`,
  );
  return placed.length === 0 ? head : `${head}; ${placed.join(', ')}`;
}

/** Advice that is not followed, grouped by reason; null if there is none. */
export function describeSkipped({ plan }: CycleReport): string | null {
  const groups = Map.groupBy(plan.skipped, ({ reason }) => reason);
  if (groups.size === 0) return null;
  return `not followed: ${[...groups].map(([reason, items]) => `${items.length} × ${reason}`).join(', ')}`;
}
