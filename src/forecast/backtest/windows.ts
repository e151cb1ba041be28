// Which windows a backtest scores: 2-day and 7-day windows starting at local noon, and calendar months.

import type { CountWindow } from '../../domain/market-event.ts';
import { DAY_MS, HOUR_MS } from '../../domain/units.ts';
import type { MarketZone } from '../time/market-zone.ts';

export const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

export interface WindowPlan {
  /** Length in whole local days, or a calendar month. */
  length: { days: number } | 'month';
  /** Weekdays on which a window starts, 0 = Sunday. */
  startWeekdays: readonly number[];
  fromTs: number;
  toTs: number;
}

const NOON = 12;

/** Windows with start >= fromTs and end <= toTs, ordered by start. */
export function listWindows(plan: WindowPlan, zone: MarketZone): CountWindow[] {
  const windows = plan.length === 'month' ? listMonths(plan, zone) : listDays(plan, plan.length.days, zone);
  return windows.filter((w) => w.startTs >= plan.fromTs && w.endTs <= plan.toTs);
}

function listDays(plan: WindowPlan, days: number, zone: MarketZone): CountWindow[] {
  const windows: CountWindow[] = [];
  for (let ts = plan.fromTs - DAY_MS; ts <= plan.toTs; ts += DAY_MS / 2) {
    const { year, month, day, weekday } = zone.localParts(ts);
    if (!plan.startWeekdays.includes(weekday)) continue;
    const startTs = zone.fromLocal(year, month, day, NOON);
    if (windows.at(-1)?.startTs === startTs) continue;
    windows.push({ startTs, endTs: zone.fromLocal(year, month, day + days, NOON) });
  }
  return windows;
}

/** A month runs from local midnight on the 1st to local midnight on the 1st of the next month. */
function listMonths(plan: WindowPlan, zone: MarketZone): CountWindow[] {
  const windows: CountWindow[] = [];
  const first = zone.localParts(plan.fromTs);
  for (let i = 0; ; i++) {
    const startTs = zone.fromLocal(first.year, first.month + i, 1, 0);
    const endTs = zone.fromLocal(first.year, first.month + i + 1, 1, 0);
    if (endTs > plan.toTs + HOUR_MS) return windows;
    windows.push({ startTs, endTs });
  }
}
