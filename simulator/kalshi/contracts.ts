// The venue's calendar: one weekly contract (Sunday to Saturday) and one per day, in New York time.

import type { BucketRange, CountWindow } from '../../src/domain/market-event.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/domain/units.ts';
import type { KalshiSeries } from '../account-parameters.ts';
import { civilDay, easternDayNumber, easternMidnightTs, easternNoonTs, weekdayOf } from '../eastern-time.ts';

export type ContractKind = 'week' | 'day' | 'other';

export interface KalshiContract {
  ticker: string;
  seriesTicker: string;
  accountId: string;
  kind: ContractKind;
  window: CountWindow;
  openTs: number;
  /** When trading ends: in the last minute of a day, at 09:59 on the day after a week. */
  closeTs: number;
  settleTs: number;
}

/** The venue's standard fee factor on p(1 - p) per contract; a series may scale it. */
const GENERAL_FEE = 0.07;
export const FEE_MULTIPLIERS: Readonly<Record<ContractKind, number>> = { week: 1, day: 0.5, other: 1 };

export function feeRateOf(kind: ContractKind): number {
  return GENERAL_FEE * FEE_MULTIPLIERS[kind];
}

const SUNDAY = 0;
const DAYS: Readonly<Record<ContractKind, number>> = { week: 7, day: 1, other: 7 };
const LEAD_DAYS: Readonly<Record<ContractKind, number>> = { week: 4, day: 1, other: 4 };
/** Contracts settle at 10 a.m., after the nightly check for deletions; clocks may change in that night. */
export const MAX_SETTLE_AFTER_MS = 11 * HOUR_MS;

/** An account's contracts listed by `nowTs` that end after `fromTs`, by start. */
export function listContracts(
  accountId: string,
  series: KalshiSeries,
  fromTs: number,
  nowTs: number,
): KalshiContract[] {
  const firstDay = easternDayNumber(fromTs) - 7;
  const lastDay = easternDayNumber(nowTs) + 7;
  const found: KalshiContract[] = [];
  for (let day = firstDay; day <= lastDay; day++) {
    for (const kind of ['week', 'day', 'other'] as const) {
      if (kind !== 'day' && weekdayOf(day) !== SUNDAY) continue;
      const contract = makeContract(accountId, series[kind], kind, day);
      if (contract.openTs <= nowTs && contract.window.endTs > fromTs) found.push(contract);
    }
  }
  return found;
}

function makeContract(
  accountId: string,
  seriesTicker: string,
  kind: ContractKind,
  dayNumber: number,
): KalshiContract {
  const endDay = dayNumber + DAYS[kind];
  const window = { startTs: easternMidnightTs(dayNumber), endTs: easternMidnightTs(endDay) };
  const settleTs = easternNoonTs(endDay) - 2 * HOUR_MS;
  return {
    ticker: `${seriesTicker}-${dateCode(endDay - 1)}`,
    seriesTicker,
    accountId,
    kind,
    window,
    openTs: window.startTs - LEAD_DAYS[kind] * DAY_MS,
    closeTs: (kind === 'day' ? window.endTs : settleTs) - MINUTE_MS,
    settleTs,
  };
}

/** 26NOV21 */
function dateCode(dayNumber: number): string {
  const { year, monthName, day } = civilDay(dayNumber);
  return `${year % 100}${monthName.slice(0, 3).toUpperCase()}${String(day).padStart(2, '0')}`;
}

/** Eight brackets a day and eleven a week, around the account's usual count. */
export function bracketsOf(kind: ContractKind, postsPerDay: number): BucketRange[] {
  const brackets = kind === 'day' ? 8 : 11;
  const expected = postsPerDay * DAYS[kind];
  const width = Math.max(2, Math.round((2 * expected) / (brackets - 1)));
  return Array.from({ length: brackets }, (_, i) => ({
    lo: i * width,
    hi: i === brackets - 1 ? null : (i + 1) * width - 1,
  }));
}
