// Converts between a zone's wall-clock time and UTC milliseconds, with daylight saving, using the runtime's
// zone data.

import { DAY_MS } from './units.ts';

export interface WallTime {
  year: number;
  /** 1 to 12; values outside that range roll over into the adjacent year. */
  month: number;
  /** 1 to 31; values outside that range roll over into the adjacent month. */
  day: number;
  hour?: number;
  minute?: number;
}

export const MARKET_TIME_ZONE = 'America/New_York';

interface Zone {
  format: Intl.DateTimeFormat;
  /** Offset by UTC day, because a formatter takes some 10 µs; null on days on which it changes. */
  offsetsMs: Map<number, number | null>;
}

const formats = new Map<string, Zone>();
const MAX_DAYS = 2_000;
const LAST_DAY_TS = 8_640_000_000_000_000 - DAY_MS;
/** Callers can spell one zone in thousands of ways (letter case), and each entry takes tens of kilobytes. */
const MAX_FORMATS = 64;

/**
 * A wall time skipped in spring moves past the gap (02:30 to 03:30); one that occurs twice maps to the first.
 */
export function wallToUtcTs(wall: WallTime, timeZone: string): number {
  const asUtcTs = Date.UTC(wall.year, wall.month - 1, wall.day, wall.hour ?? 0, wall.minute ?? 0);
  const earlyTs = asUtcTs - askZoneOffsetMs(asUtcTs - 86_400_000, timeZone);
  if (utcToWallAsUtc(earlyTs, timeZone) === asUtcTs) return earlyTs;
  const lateTs = asUtcTs - askZoneOffsetMs(asUtcTs + 86_400_000, timeZone);
  return utcToWallAsUtc(lateTs, timeZone) === asUtcTs ? lateTs : earlyTs;
}

export function utcTsToWall(ts: number, timeZone: string): Required<WallTime> {
  const wall = new Date(utcToWallAsUtc(ts, timeZone));
  return {
    year: wall.getUTCFullYear(),
    month: wall.getUTCMonth() + 1,
    day: wall.getUTCDate(),
    hour: wall.getUTCHours(),
    minute: wall.getUTCMinutes(),
  };
}

/** Milliseconds to add to UTC to get the zone's wall time. */
export function askZoneOffsetMs(ts: number, timeZone: string): number {
  return utcToWallAsUtc(ts, timeZone) - Math.floor(ts / 1000) * 1000;
}

/** The zone's wall-clock time, encoded as if it were UTC. Whole seconds. */
function utcToWallAsUtc(ts: number, timeZone: string): number {
  const zone = findZone(timeZone);
  const day = Math.floor(ts / DAY_MS);
  let offsetMs = zone.offsetsMs.get(day);
  if (offsetMs === undefined && Math.abs(ts) < LAST_DAY_TS) {
    const firstMs = readOffsetMs(day * DAY_MS, zone);
    offsetMs = firstMs === readOffsetMs((day + 1) * DAY_MS, zone) ? firstMs : null;
    if (zone.offsetsMs.size >= MAX_DAYS) zone.offsetsMs.clear();
    zone.offsetsMs.set(day, offsetMs);
  }
  return Math.floor(ts / 1000) * 1000 + (offsetMs ?? readOffsetMs(ts, zone));
}

function readOffsetMs(ts: number, { format }: Zone): number {
  const part: Record<string, number> = {};
  for (const { type, value } of format.formatToParts(ts)) part[type] = Number(value);
  const wallTs = Date.UTC(part.year!, part.month! - 1, part.day!, part.hour!, part.minute!, part.second!);
  return wallTs - Math.floor(ts / 1000) * 1000;
}

function findZone(timeZone: string): Zone {
  let zone = formats.get(timeZone);
  if (!zone) {
    const format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    if (formats.size >= MAX_FORMATS) formats.delete(formats.keys().next().value!);
    zone = { format, offsetsMs: new Map() };
    formats.set(timeZone, zone);
  }
  return zone;
}

/** Uses the cache because every new formatter takes memory outside the heap. */
export function isTimeZone(name: string): boolean {
  try {
    return findZone(name) !== null;
  } catch {
    return false;
  }
}
