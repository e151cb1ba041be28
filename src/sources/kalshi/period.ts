// The period that a contract counts. Its rules state it; trading may end before or after it. Where the rules
// omit it, it is the days up to the date in the ticker, provided that trading ends soon after them.

import type { CountWindow } from '../../domain/market-event.ts';
import { HOUR_MS, MINUTE_MS } from '../../domain/units.ts';
import { MARKET_TIME_ZONE, utcTsToWall, wallToUtcTs } from '../../domain/zoned-time.ts';
import type { KalshiEventWire } from './wire.ts';

const DAYS: Readonly<Record<string, number>> = { daily: 1, weekly: 7 };
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const INSTANT = String.raw`(\d{1,2}):(\d{2}) ([AP]M) ET on ([A-Z][a-z]{2})[a-z]*\.? (\d{1,2}), (\d{4})`;
const STATED = new RegExp(`begins at ${INSTANT},? and ends at ${INSTANT}`, 'i');
const FIELDS_PER_INSTANT = 6;
const TICKER_DATE = /-(\d{2})([A-Z]{3})(\d{2})$/;
/** Daily contracts close in the last minute of their day, weekly ones at 09:59 of the next. */
const MAX_CLOSE_BEFORE_END_MS = HOUR_MS;
const MAX_CLOSE_AFTER_END_MS = 24 * HOUR_MS;

export function findPeriod(
  wire: KalshiEventWire,
  frequency: string,
  timeZone: string,
): CountWindow | { reason: string } {
  const stated = wire.markets.flatMap(({ rules }) => parseStatedPeriod(rules) ?? []);
  const [first] = stated;
  if (stated.some(({ startTs, endTs }) => startTs !== first!.startTs || endTs !== first!.endTs))
    return { reason: 'its brackets state different periods' };
  return (
    first ??
    periodOfTicker(wire, frequency, timeZone) ?? {
      reason: `its window is unknown for a ${frequency || 'unnamed'} series`,
    }
  );
}

/** "begins at 12:00 AM ET on Oct 11, 2026 and ends at 11:59 PM ET on Oct 17, 2026"; null if absent. */
export function parseStatedPeriod(rules: string): CountWindow | null {
  const fields = STATED.exec(rules)?.slice(1);
  if (!fields) return null;
  const startTs = toTs(fields.slice(0, FIELDS_PER_INSTANT));
  const lastTs = toTs(fields.slice(FIELDS_PER_INSTANT));
  if (startTs === null || lastTs === null || lastTs <= startTs) return null;
  // A period that ends at 11:59 includes that minute.
  const isLastMinute = utcTsToWall(lastTs, MARKET_TIME_ZONE).minute === 59;
  return { startTs, endTs: isLastMinute ? lastTs + MINUTE_MS : lastTs };
}

function toTs([hour, minute, half, monthName, day, year]: string[]): number | null {
  const month = MONTHS.indexOf(monthName!.toLowerCase()) + 1;
  if (month === 0) return null;
  const wall = {
    year: Number(year),
    month,
    day: Number(day),
    hour: (Number(hour) % 12) + (half!.toUpperCase() === 'PM' ? 12 : 0),
    minute: Number(minute),
  };
  return wallToUtcTs(wall, MARKET_TIME_ZONE);
}

/** When trading ends in the event's last bracket. */
export function lastCloseTs({ markets }: KalshiEventWire): number {
  return Math.max(...markets.map(({ closeTs }) => closeTs ?? Number.NEGATIVE_INFINITY));
}

function periodOfTicker(wire: KalshiEventWire, frequency: string, timeZone: string): CountWindow | null {
  const days = DAYS[frequency];
  const [, year, monthName, day] = TICKER_DATE.exec(wire.ticker) ?? [];
  const month = MONTHS.indexOf((monthName ?? '').toLowerCase()) + 1;
  if (days === undefined || month === 0) return null;
  const end = { year: 2_000 + Number(year), month, day: Number(day) + 1 };
  const endTs = wallToUtcTs(end, timeZone);
  const closeTs = lastCloseTs(wire);
  if (closeTs < endTs - MAX_CLOSE_BEFORE_END_MS || closeTs > endTs + MAX_CLOSE_AFTER_END_MS) return null;
  return { startTs: wallToUtcTs({ ...end, day: end.day - days }, timeZone), endTs };
}
