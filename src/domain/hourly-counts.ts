// Posts per hour and per day in a window. Hours are counted from the window's start; days are calendar days
// in a time zone.

import type { CountWindow } from './market-event.ts';
import { HOUR_MS } from './units.ts';
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
