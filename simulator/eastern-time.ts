// Days and hours in America/New_York, the markets' time zone. Civil days are numbered from 1970-01-01, so
// that a day number can be part of an id.

import { DAY_MS, HOUR_MS } from '../src/domain/units.ts';
import { MARKET_TIME_ZONE, wallToUtcTs } from '../src/domain/zoned-time.ts';

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

const midnights = new Map<number, number>();

export interface CivilDay {
  year: number;
  /** 1 to 12. */
  month: number;
  day: number;
  monthName: string;
  /** 0 is Sunday. */
  weekday: number;
}

export function civilDay(dayNumber: number): CivilDay {
  const date = new Date(dayNumber * DAY_MS);
  const month = date.getUTCMonth() + 1;
  return {
    year: date.getUTCFullYear(),
    month,
    day: date.getUTCDate(),
    monthName: MONTHS[month - 1]!,
    weekday: date.getUTCDay(),
  };
}

/** 0 is Sunday; 1970-01-01 was a Thursday. */
export function weekdayOf(dayNumber: number): number {
  return (((dayNumber + 4) % 7) + 7) % 7;
}

export function dayNumberOf(year: number, month: number, day: number): number {
  return Math.floor(Date.UTC(year, month - 1, day) / DAY_MS);
}

export function easternMidnightTs(dayNumber: number): number {
  let ts = midnights.get(dayNumber);
  if (ts === undefined) {
    const { year, month, day } = civilDay(dayNumber);
    ts = wallToUtcTs({ year, month, day }, MARKET_TIME_ZONE);
    midnights.set(dayNumber, ts);
  }
  return ts;
}

export function easternNoonTs(dayNumber: number): number {
  // Clocks change at 2 a.m., so noon has the same offset as the following midnight.
  return easternMidnightTs(dayNumber + 1) - 12 * HOUR_MS;
}

/** The civil day in New York at the given time. */
export function easternDayNumber(ts: number): number {
  let day = Math.floor((ts - 5 * HOUR_MS) / DAY_MS);
  if (ts >= easternMidnightTs(day + 1)) day += 1;
  return day;
}

/** Hours since midnight in New York, with fraction; days have 23 to 25 hours when clocks change. */
export function easternHour(ts: number): number {
  return (ts - easternMidnightTs(easternDayNumber(ts))) / HOUR_MS;
}

/** 12:00 PM, as rules state times. */
export function easternClock(ts: number): string {
  const minutes = Math.round(easternHour(ts) * 60);
  const hour = Math.floor(minutes / 60);
  return `${hour % 12 || 12}:${String(minutes % 60).padStart(2, '0')} ${hour % 24 < 12 ? 'AM' : 'PM'}`;
}
