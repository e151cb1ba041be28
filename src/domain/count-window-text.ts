// Parses the count window from a text: '# tweets August 15 - August 17, 2026?', 'in August 2026?', a
// slug, or the rules. Windows run noon to noon in the market's zone unless the text gives other times; months
// run from midnight to midnight. Days are calendar days, so a week across a clock change has 167 or 169
// hours.

import type { CountWindow } from './market-event.ts';
import { wallToUtcTs } from './zoned-time.ts';

export interface WindowTextOptions {
  timeZone: string;
  /** A time near the window's end, used to infer a missing year; null if unknown. */
  nearEndTs: number | null;
}

interface Moment {
  month: number;
  day: number;
  year: number | null;
  minuteOfDay: number | null;
  /** Index of the first token after the match. */
  next: number;
}

const NOON = 720;
/** Longer than any real slug; a cap is needed because every pair of dates is tried. */
const MAX_SLUG_LENGTH = 300;
const MAX_WINDOW_MS = 100 * 86_400_000;

/** Parses the window from an event's title or rules. */
export function parseWindowText(text: string, options: WindowTextOptions): CountWindow | null {
  const tokens = readDateTokens(text);
  return findRange(tokens, options, false) ?? findMonth(tokens, options, true);
}

/** Parses the window from a slug with adjacent dates: …-august-15-august-17, …-may-23-25, …-in-may-2026. */
export function parseWindowSlug(slug: string, options: WindowTextOptions): CountWindow | null {
  const tokens = readDateTokens(slug.slice(0, MAX_SLUG_LENGTH).replace(/[-_]+/g, ' '));
  return findRange(tokens, options, true) ?? findMonth(tokens, options, false);
}

function findRange(
  tokens: readonly DateToken[],
  options: WindowTextOptions,
  isSlug: boolean,
): CountWindow | null {
  for (let i = 0; i < tokens.length; i++) {
    if (tokens[i]!.kind !== 'month' && tokens[i]!.kind !== 'time') continue;
    const start = readMoment(tokens, i, null);
    if (!start) continue;
    const end = readEnd(tokens, start, isSlug);
    const window = end && datedWindow(start, end, options);
    if (window) return window;
  }
  return null;
}

function readEnd(tokens: readonly DateToken[], start: Moment, isSlug: boolean): Moment | null {
  const next = skipFillers(tokens, start.next);
  if (tokens[next]?.kind === 'until') return readMoment(tokens, next + 1, start.month);
  return isSlug ? readMoment(tokens, next, start.month) : null;
}

/** Parses '[12:00 PM ET on] August 15[th][, 2026][, 12:00 PM ET]'; `sameMonth` allows a bare day. */
function readMoment(tokens: readonly DateToken[], from: number, sameMonth: number | null): Moment | null {
  let at = skipFillers(tokens, from);
  let minuteOfDay: number | null = null;
  const lead = tokens[at];
  if (lead?.kind === 'time') {
    minuteOfDay = lead.minuteOfDay;
    at = skipFillers(tokens, at + 1);
  }
  const monthToken = tokens[at];
  const month = monthToken?.kind === 'month' ? monthToken.month : sameMonth;
  if (month === null) return null;
  if (monthToken?.kind === 'month') at += 1;
  const dayToken = tokens[at];
  if (dayToken?.kind !== 'number' || dayToken.digits > 2 || dayToken.value < 1 || dayToken.value > 31)
    return null;
  return readMomentTail(tokens, at + 1, {
    month,
    day: dayToken.value,
    year: null,
    minuteOfDay,
    next: at + 1,
  });
}

function readMomentTail(tokens: readonly DateToken[], from: number, moment: Moment): Moment {
  let { year, minuteOfDay, next } = moment;
  for (let at = from; at < tokens.length; at++) {
    const token = tokens[at]!;
    if (token.kind === 'number' && year === null && isYear(token)) year = token.value;
    else if (token.kind === 'time' && minuteOfDay === null) minuteOfDay = token.minuteOfDay;
    else if (token.kind !== 'filler') break;
    else continue;
    next = at + 1;
  }
  return { ...moment, year, minuteOfDay, next };
}

function skipFillers(tokens: readonly DateToken[], from: number): number {
  let at = from;
  while (tokens[at]?.kind === 'filler') at += 1;
  return at;
}

function isYear(token: { value: number; digits: number }): boolean {
  return token.digits === 4 && token.value >= 2006 && token.value <= 2100;
}

function datedWindow(start: Moment, end: Moment, options: WindowTextOptions): CountWindow | null {
  const endYear = end.year ?? yearFromStart(start, end) ?? yearNear(end, options);
  if (endYear === null) return null;
  const startYear = start.year ?? (start.month > end.month ? endYear - 1 : endYear);
  const window = {
    startTs: momentTs(start, startYear, options.timeZone),
    endTs: momentTs(end, endYear, options.timeZone),
  };
  return isReasonable(window) ? window : null;
}

function yearFromStart(start: Moment, end: Moment): number | null {
  if (start.year === null) return null;
  return end.month < start.month ? start.year + 1 : start.year;
}

/** 11:59 means the next full hour; no time means noon. */
function momentTs(moment: Moment, year: number, timeZone: string): number {
  const stated = moment.minuteOfDay ?? NOON;
  const minute = stated % 60 === 59 ? stated + 1 : stated;
  return wallToUtcTs({ year, month: moment.month, day: moment.day, minute }, timeZone);
}

function yearNear(end: Pick<Moment, 'month' | 'day'>, options: WindowTextOptions): number | null {
  const { nearEndTs, timeZone } = options;
  if (nearEndTs === null || !Number.isFinite(nearEndTs)) return null;
  const guess = new Date(nearEndTs).getUTCFullYear();
  const distance = (year: number) =>
    Math.abs(wallToUtcTs({ year, month: end.month, day: end.day, hour: 12 }, timeZone) - nearEndTs);
  return [guess - 1, guess, guess + 1].reduce((best, year) =>
    distance(year) < distance(best) ? year : best,
  );
}

/** 'in August 2026', 'August 2026', and in prose also a plain 'in August'. */
function findMonth(
  tokens: readonly DateToken[],
  options: WindowTextOptions,
  isRunningText: boolean,
): CountWindow | null {
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i]!;
    if (token.kind !== 'month') continue;
    const follower = tokens[i + 1];
    const isAnnounced = isAfterIn(tokens, i);
    if (follower?.kind === 'number' && isYear(follower) && (isAnnounced || !isRunningText)) {
      return monthWindow(follower.value, token.month, options.timeZone);
    }
    if (isAnnounced && follower === undefined) return undatedMonth(token.month, options);
  }
  return null;
}

function isAfterIn(tokens: readonly DateToken[], at: number): boolean {
  let before = at - 1;
  while (tokens[before]?.kind === 'filler') before -= 1;
  return tokens[before]?.kind === 'in';
}

function undatedMonth(month: number, options: WindowTextOptions): CountWindow | null {
  // A month ends on the first of the next month, so the year is inferred from a day near its end.
  const year = yearNear({ month, day: 28 }, options);
  return year === null ? null : monthWindow(year, month, options.timeZone);
}

export function monthWindow(year: number, month: number, timeZone: string): CountWindow {
  return {
    startTs: wallToUtcTs({ year, month, day: 1 }, timeZone),
    endTs: wallToUtcTs({ year, month: month + 1, day: 1 }, timeZone),
  };
}

function isReasonable(window: CountWindow): boolean {
  const lengthMs = window.endTs - window.startTs;
  return lengthMs > 0 && lengthMs <= MAX_WINDOW_MS;
}

// Extracts tokens that can be part of a date from a title, slug or rules text. One linear pass, so no input
// can stall it.

type DateToken =
  | { kind: 'month'; month: number }
  | { kind: 'number'; value: number; digits: number }
  /** Minutes after midnight. */
  | { kind: 'time'; minuteOfDay: number }
  | { kind: 'until' }
  | { kind: 'in' }
  | { kind: 'between' }
  /** A word that may occur in a date without changing it: of, on, at, the, ET. */
  | { kind: 'filler' }
  | { kind: 'other' };

/** Real rules texts have up to about 3,000 characters. */
const MAX_TEXT_LENGTH = 20_000;

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MONTH_WORD =
  /^(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)$/;
const UNTIL_WORDS = new Set(['to', 'through', 'until', 'till', 'and', '-']);
const IN_WORDS = new Set(['in', 'during']);
const FILLER_WORDS = new Set([
  'of',
  'on',
  'at',
  'the',
  'month',
  'et',
  'est',
  'edt',
  'eastern',
  'time',
  'from',
]);
const WORD =
  /\d{1,2}:\d{2}(?::\d{2})? ?(?:[ap]\.?m\b\.?)?|\d{1,2} ?[ap]\.?m\b\.?|\d+(?:st|nd|rd|th)?|[a-z]+|[-‐‑‒–—―−]/g;

function readDateTokens(text: string): DateToken[] {
  const words = text.slice(0, MAX_TEXT_LENGTH).toLowerCase().match(WORD) ?? [];
  return words.map(readToken);
}

function readToken(word: string): DateToken {
  if (/^\d/.test(word)) return readFigure(word);
  if (MONTH_WORD.test(word)) return { kind: 'month', month: MONTHS.indexOf(word.slice(0, 3)) + 1 };
  if (/^[-‐‑‒–—―−]$/.test(word) || UNTIL_WORDS.has(word)) return { kind: 'until' };
  if (word === 'noon') return { kind: 'time', minuteOfDay: 720 };
  if (word === 'midnight') return { kind: 'time', minuteOfDay: 0 };
  if (word === 'between') return { kind: 'between' };
  if (IN_WORDS.has(word)) return { kind: 'in' };
  return { kind: FILLER_WORDS.has(word) ? 'filler' : 'other' };
}

function readFigure(word: string): DateToken {
  const time = /^(\d{1,2})(?::(\d{2})(?::\d{2})?)? ?([ap])?/.exec(word);
  if (time && (time[2] !== undefined || time[3] !== undefined)) return readTime(time);
  const digits = word.replace(/\D/g, '');
  return { kind: 'number', value: Number(digits.slice(0, 9)), digits: digits.length };
}

function readTime(match: RegExpExecArray): DateToken {
  const hour = Number(match[1]);
  const minute = Number(match[2] ?? 0);
  const half = match[3];
  const isPossible = minute < 60 && (half ? hour >= 1 && hour <= 12 : hour <= 24);
  if (!isPossible) return { kind: 'other' };
  const hour24 = half ? (hour % 12) + (half === 'p' ? 12 : 0) : hour;
  return { kind: 'time', minuteOfDay: hour24 * 60 + minute };
}
