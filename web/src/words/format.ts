// Formats numbers and times. Numbers keep their width, so that nothing moves when they change.

import { getZone } from './zone.ts';

const countFormat = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const usdFormat = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });

export const NONE = '–';
const MINUS = '\u2212';

export function formatCount(value: number | null | undefined): string {
  return value === null || value === undefined ? NONE : countFormat.format(value).replace('-', MINUS);
}

export function formatDecimal(value: number | null | undefined, digits: number): string {
  return value === null || value === undefined ? NONE : value.toFixed(digits).replace('-', MINUS);
}

export function formatSigned(value: number | null | undefined, digits = 0): string {
  if (value === null || value === undefined) return NONE;
  const text = Math.abs(value).toFixed(digits);
  if (Number(text) === 0) return text;
  return value > 0 ? `+${text}` : `${MINUS}${text}`;
}

/** Formats a probability or price between 0 and 1 as a percentage with one decimal. */
export function formatProbability(value: number | null | undefined): string {
  return value === null || value === undefined ? NONE : `${(value * 100).toFixed(1)}%`;
}

/** Formats a difference between probabilities in percentage points. */
export function formatPoints(value: number | null | undefined): string {
  return value === null || value === undefined ? NONE : formatSigned(value * 100, 1);
}

export function signOf(value: number | null | undefined): 'plus' | 'minus' | undefined {
  if (value === null || value === undefined || Math.abs(value) < 0.0005) return undefined;
  return value > 0 ? 'plus' : 'minus';
}

/** Formats a share price: "31¢", "98.5¢". */
export function formatCents(value: number | null | undefined): string {
  return value === null || value === undefined ? NONE : `${Number((value * 100).toFixed(1))}¢`;
}

/** Formats a share price for a column: "31.0¢", so that the digits line up. */
export function formatPrice(value: number | null | undefined): string {
  return value === null || value === undefined ? NONE : `${(value * 100).toFixed(1)}¢`;
}

export function formatUsd(value: number | null | undefined): string {
  return value === null || value === undefined ? NONE : usdFormat.format(value).replace('-', MINUS);
}

export function formatSignedUsd(value: number | null | undefined): string {
  if (value === null || value === undefined) return NONE;
  const cents = Math.round(value * 100) / 100 || 0;
  return cents > 0 ? `+${usdFormat.format(cents)}` : formatUsd(cents);
}

/** "3 d 04:12:09", for a countdown. */
export function formatCountdown(seconds: number): string {
  const left = Math.max(0, Math.floor(seconds));
  const days = Math.floor(left / 86_400);
  const clock = [Math.floor((left % 86_400) / 3600), Math.floor((left % 3600) / 60), left % 60]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
  return days > 0 ? `${days} d ${clock}` : clock;
}

/** "3 d 4 h", "12 min", "9 s": at most the two largest units. */
export function formatLength(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 90) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 90) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return minutes % 60 && hours < 10 ? `${hours} h ${minutes % 60} min` : `${hours} h`;
  return hours % 24 ? `${Math.floor(hours / 24)} d ${hours % 24} h` : `${Math.floor(hours / 24)} d`;
}

const PARTS = {
  hour: { hour: '2-digit', hourCycle: 'h23' },
  minute: { hour: '2-digit', minute: '2-digit' },
  second: { hour: '2-digit', minute: '2-digit', second: '2-digit' },
  day: { weekday: 'short', day: 'numeric', month: 'short' },
  date: { day: 'numeric', month: 'short' },
  shortDay: { weekday: 'short', day: 'numeric' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

// Created once per zone, because creating a formatter costs far more than formatting.
const formatters = new Map<string, Intl.DateTimeFormat>();

function format(ts: number, part: keyof typeof PARTS): string {
  const zone = getZone();
  const key = `${zone} ${part}`;
  const timeZone = zone === 'local' ? undefined : zone;
  const known = formatters.get(key) ?? new Intl.DateTimeFormat('en-GB', { ...PARTS[part], timeZone });
  formatters.set(key, known);
  return known.format(ts);
}

/** Hour of the day in the chosen zone, 0 to 23. */
export function readHour(ts: number): number {
  return Number(format(ts, 'hour'));
}

export function formatTime(ts: number, withSeconds = false): string {
  return format(ts, withSeconds ? 'second' : 'minute');
}

export function formatDay(ts: number): string {
  return format(ts, 'day');
}

/** "10 Nov". */
export function formatDate(ts: number): string {
  return format(ts, 'date');
}

/** "Tue 10", for axes and table rows. */
export function formatShortDay(ts: number): string {
  return format(ts, 'shortDay');
}

export function formatDayTime(ts: number): string {
  return `${formatDay(ts)}, ${formatTime(ts)}`;
}

/** Joins short remarks as sentences. */
export function joinReasons(reasons: readonly string[]): string {
  return reasons.map((reason) => `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`).join(' ');
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** Letter for an account: B for "Account B", W for "@whitehouse". */
export function initialOf(label: string): string {
  const name = label.replace(/^account\s+/i, '');
  return /[\p{L}\p{N}]/u.exec(name)?.[0].toUpperCase() ?? '#';
}
