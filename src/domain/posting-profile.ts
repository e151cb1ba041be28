// An account's habits over some days: posts per day, by hour of the day and day of the week in a time zone.
// Pure.

import { countByHour, type HourCount, type PostTimes } from './hourly-counts.ts';
import { DAY_MS, HOUR_MS } from './units.ts';
import { utcTsToWall } from './zoned-time.ts';

export interface Habit {
  /** Hour of the day from 0, or day of the week from Sunday, 0. */
  place: number;
  countedPerHour: number;
  allPerHour: number;
  /** Hours of the look-back in this slot. */
  hours: number;
}

export interface PostingProfile {
  days: number;
  counted: number;
  all: number;
  byHour: Habit[];
  byWeekday: Habit[];
}

/** Covers the last whole hours up to now; an hour belongs to the wall-clock hour in which it begins. */
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
