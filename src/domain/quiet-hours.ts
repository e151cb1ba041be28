// Hours of the day, in a time zone, during which no alerts are sent.

import { MINUTE_MS } from './units.ts';
import { utcTsToWall, wallToUtcTs } from './zoned-time.ts';

/** Minutes after midnight in the zone; if `from` is after `to`, they span midnight. */
export interface QuietHours {
  fromMinute: number;
  toMinute: number;
  zone: string;
}

const DAY_MINUTES = 24 * 60;

/** "22:30" -> 1350; null for anything else. */
export function parseMinuteOfDay(text: string): number | null {
  const match = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text);
  return match ? Number(match[1]) * 60 + Number(match[2]) : null;
}

export function writeMinuteOfDay(minute: number): string {
  return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
}

/** Returns `ts` itself outside quiet hours, otherwise the time at which they end. */
export function findLoudTs(quiet: QuietHours | null, ts: number): number {
  if (quiet === null) return ts;
  const { fromMinute, toMinute, zone } = quiet;
  const wall = utcTsToWall(ts, zone);
  const minute = wall.hour * 60 + wall.minute;
  const sinceFrom = (minute - fromMinute + DAY_MINUTES) % DAY_MINUTES;
  const length = (toMinute - fromMinute + DAY_MINUTES) % DAY_MINUTES;
  if (sinceFrom >= length) return ts;
  const isTomorrow = toMinute <= minute;
  const end = { ...wall, day: wall.day + (isTomorrow ? 1 : 0), hour: 0, minute: toMinute };
  // When the clocks go back, the computed end may be in the past; use the next minute then.
  const endTs = wallToUtcTs(end, zone);
  return endTs > ts ? endTs : ts + MINUTE_MS;
}
