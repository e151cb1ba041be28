// Posts per hour and per day in a window. Hours are counted from the window's start; days are calendar days
// in a time zone.

import type { CountWindow } from './market-event.ts';
import { DAY_MS, HOUR_MS } from './units.ts';
import { utcTsToWall } from './zoned-time.ts';

export interface HourCount {
  startTs: number;
  counted: number;
  all: number;
}

export interface DayCount {
  /** YYYY-MM-DD in the zone. */
  date: string;
  counted: number;
  all: number;
}

export interface PostTimes {
  createdTs: Float64Array;
  isCounted: Uint8Array;
}

/** Every hour from the window's start to its end or the current time, including empty hours. */
export function countByHour(times: PostTimes, window: CountWindow, nowTs: number): HourCount[] {
  const untilTs = Math.min(window.endTs, nowTs);
  const hours: HourCount[] = [];
  for (let startTs = window.startTs; startTs < untilTs; startTs += HOUR_MS)
    hours.push({ startTs, counted: 0, all: 0 });
  for (let i = 0; i < times.createdTs.length; i++) {
    const ts = times.createdTs[i]!;
    if (ts < window.startTs || ts >= window.endTs) continue;
    const hour = hours[Math.floor((ts - window.startTs) / HOUR_MS)];
    if (!hour) continue;
    hour.all += 1;
    hour.counted += times.isCounted[i]!;
  }
  return hours;
}

/** An hour belongs to the day on which it starts, so none is lost in zones with half-hour offsets. */
export function sumByDay(hours: readonly HourCount[], timeZone: string): DayCount[] {
  const days = new Map<string, DayCount>();
  for (const { startTs, counted, all } of hours) {
    const { year, month, day } = utcTsToWall(startTs, timeZone);
    const date = `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
    const sum = days.get(date) ?? { date, counted: 0, all: 0 };
    days.set(date, { date, counted: sum.counted + counted, all: sum.all + all });
  }
  return [...days.values()];
}

// An account's posting habits over recent days: rates by hour of day and by weekday in a time zone. Pure.

export interface Habit {
  /** Hour of day (0 to 23) or day of week (0 is Sunday). */
  place: number;
  countedPerHour: number;
  allPerHour: number;
  /** Number of hours in the look-back that fall into this slot. */
  hours: number;
}

export interface PostingProfile {
  days: number;
  counted: number;
  all: number;
  byHour: Habit[];
  byWeekday: Habit[];
}

/** Covers whole hours up to now; each is assigned to the wall-clock hour in which it starts. */
export function profilePosting(
  times: PostTimes,
  days: number,
  nowTs: number,
  timeZone: string,
): PostingProfile {
  const endTs = Math.floor(nowTs / HOUR_MS) * HOUR_MS;
  const hours = countByHour(times, { startTs: endTs - days * DAY_MS, endTs }, nowTs);
  const placed = hours.map((hour) => {
    const wall = utcTsToWall(hour.startTs, timeZone);
    const weekday = new Date(Date.UTC(wall.year, wall.month - 1, wall.day)).getUTCDay();
    return { ...hour, hour: wall.hour, weekday };
  });
  return {
    days,
    counted: sum(hours, 'counted'),
    all: sum(hours, 'all'),
    byHour: group(placed, 24, ({ hour }) => hour),
    byWeekday: group(placed, 7, ({ weekday }) => weekday),
  };
}

function group<T extends HourCount>(
  hours: readonly T[],
  places: number,
  placeOf: (hour: T) => number,
): Habit[] {
  const byPlace = Map.groupBy(hours, placeOf);
  return Array.from({ length: places }, (_, place) => {
    const here = byPlace.get(place) ?? [];
    const rate = (name: 'counted' | 'all') => (here.length === 0 ? 0 : sum(here, name) / here.length);
    return { place, countedPerHour: rate('counted'), allPerHour: rate('all'), hours: here.length };
  });
}

function sum(hours: readonly HourCount[], name: 'counted' | 'all'): number {
  return hours.reduce((total, hour) => total + hour[name], 0);
}
