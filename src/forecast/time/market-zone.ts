// Local time in a market's time zone, cached by day on top of domain/zoned-time.

import { DAY_MS, HOUR_MS } from '../../domain/units.ts';
import { askZoneOffsetMs } from '../../domain/zoned-time.ts';

export interface MarketZone {
  readonly timeZone: string;
  /** Milliseconds to add to UTC to get local wall time. */
  offsetMs(ts: number): number;
  /** Hour of the local week, 0..167, starting on Sunday at 00:00. */
  hourOfWeek(ts: number): number;
  /** UTC time of a local wall time (the first occurrence when clocks go back). */
  fromLocal(year: number, month: number, day: number, hour: number): number;
  /** Local calendar parts of a time; month 1..12, weekday 0 = Sunday. */
  localParts(ts: number): { year: number; month: number; day: number; hour: number; weekday: number };
}

interface DayOffsets {
  first: number;
  last: number;
  changeTs: number;
}

const zones = new Map<string, MarketZone>();

/** Cached per zone for the life of the process, because zone data does not change. */
export function getMarketZone(timeZone: string): MarketZone {
  const known = zones.get(timeZone);
  if (known) return known;
  const zone = buildMarketZone(timeZone);
  zones.set(timeZone, zone);
  return zone;
}

function buildMarketZone(timeZone: string): MarketZone {
  const days = new Map<number, DayOffsets>();

  const askOffset = (ts: number) => askZoneOffsetMs(ts, timeZone);

  function dayOffsets(day: number): DayOffsets {
    const known = days.get(day);
    if (known) return known;
    const startTs = day * DAY_MS;
    const first = askOffset(startTs);
    const last = askOffset(startTs + DAY_MS - 1000);
    let low = startTs;
    let high = startTs + DAY_MS;
    while (first !== last && high - low > 1000) {
      const middle = Math.floor((low + high) / 2000) * 1000;
      if (askOffset(middle) === first) low = middle;
      else high = middle;
    }
    const offsets = { first, last, changeTs: high };
    days.set(day, offsets);
    return offsets;
  }

  function offsetMs(ts: number): number {
    const offsets = dayOffsets(Math.floor(ts / DAY_MS));
    return ts < offsets.changeTs ? offsets.first : offsets.last;
  }

  return {
    timeZone,
    offsetMs,
    hourOfWeek(ts) {
      const hours = Math.floor((ts + offsetMs(ts)) / HOUR_MS);
      // 1 January 1970 was a Thursday, four days after Sunday.
      return (((hours + 96) % 168) + 168) % 168;
    },
    fromLocal(year, month, day, hour) {
      const wall = Date.UTC(year, month - 1, day, hour);
      const guess = wall - offsetMs(wall);
      const second = wall - offsetMs(guess);
      return second + offsetMs(second) === wall ? second : guess;
    },
    localParts(ts) {
      const local = new Date(ts + offsetMs(ts));
      return {
        year: local.getUTCFullYear(),
        month: local.getUTCMonth() + 1,
        day: local.getUTCDate(),
        hour: local.getUTCHours(),
        weekday: local.getUTCDay(),
      };
    },
  };
}
