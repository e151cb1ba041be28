// An account's posting habits over recent days: rates by hour of day and by weekday in a time zone. Pure.

import { countByHour, type HourCount, type PostTimes } from './hourly-counts.ts';
import { DAY_MS, HOUR_MS } from './units.ts';
import { utcTsToWall } from './zoned-time.ts';

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
  const placed = hours.map((hour) => ({ ...hour, wall: utcTsToWall(hour.startTs, timeZone) }));
  return {
    days,
    counted: sum(hours, 'counted'),
    all: sum(hours, 'all'),
    byHour: group(placed, 24, ({ wall }) => wall.hour),
    byWeekday: group(placed, 7, ({ wall }) =>
      new Date(Date.UTC(wall.year, wall.month - 1, wall.day)).getUTCDay(),
    ),
  };
}

function group<T extends HourCount>(
  hours: readonly T[],
  places: number,
  placeOf: (hour: T) => number,
): Habit[] {
  return Array.from({ length: places }, (_, place) => {
    const here = hours.filter((hour) => placeOf(hour) === place);
    const rate = (name: 'counted' | 'all') => (here.length === 0 ? 0 : sum(here, name) / here.length);
    return { place, countedPerHour: rate('counted'), allPerHour: rate('all'), hours: here.length };
  });
}

function sum(hours: readonly HourCount[], name: 'counted' | 'all'): number {
  return hours.reduce((total, hour) => total + hour[name], 0);
}
