// Which count events exist: a function of the civil day, so that an event's id says when it starts.

import type { CountWindow } from '../../domain/market-event.ts';
import { DAY_MS, HOUR_MS } from '../../domain/units.ts';
import { chance } from '../chance.ts';
import {
  civilDay,
  dayNumberOf,
  easternDayNumber,
  easternMidnightTs,
  easternNoonTs,
} from '../eastern-time.ts';
import type { CountFamily } from './ladders.ts';

export type CountVariant = 'count' | 'add-on' | 'archived' | 'mention';

export interface CountSlot {
  eventId: number;
  dayNumber: number;
  accountId: string;
  family: CountFamily;
  variant: CountVariant;
  window: CountWindow;
  listedTs: number;
}

interface SlotKind {
  code: number;
  accountId: string;
  family: CountFamily;
  variant: CountVariant;
  leadDays: number;
}

const CODES = 16;

const KINDS: readonly SlotKind[] = [
  { code: 1, accountId: 'a', family: '2d', variant: 'count', leadDays: 2 },
  { code: 2, accountId: 'a', family: '7d', variant: 'count', leadDays: 3 },
  { code: 3, accountId: 'a', family: 'month', variant: 'count', leadDays: 5 },
  { code: 4, accountId: 'b', family: '2d', variant: 'count', leadDays: 2 },
  { code: 5, accountId: 'b', family: '7d', variant: 'count', leadDays: 3 },
  { code: 6, accountId: 'b', family: 'month', variant: 'count', leadDays: 5 },
  { code: 7, accountId: 'a', family: '7d', variant: 'archived', leadDays: 4 },
  { code: 8, accountId: 'a', family: '7d', variant: 'add-on', leadDays: 1 },
  { code: 9, accountId: 'a', family: '7d', variant: 'mention', leadDays: 2 },
];

const TUESDAY = 2;
const FRIDAY = 5;

/** Slots whose counting starts on the civil day. */
export function slotsOfDay(key: number, dayNumber: number): CountSlot[] {
  return KINDS.filter((kind) => startsOn(key, kind, dayNumber)).map((kind) => makeSlot(key, kind, dayNumber));
}

export function findSlot(key: number, eventId: number): CountSlot | null {
  const dayNumber = Math.floor(eventId / CODES);
  const kind = KINDS.find((candidate) => candidate.code === eventId % CODES);
  return kind && startsOn(key, kind, dayNumber) ? makeSlot(key, kind, dayNumber) : null;
}

/** Every slot that starts after the anchor and is listed by `nowTs`. */
export function slotsListedBy(key: number, anchorTs: number, nowTs: number): CountSlot[] {
  const slots: CountSlot[] = [];
  const lastDay = easternDayNumber(nowTs) + 7;
  for (let day = easternDayNumber(anchorTs) + 1; day <= lastDay; day++) {
    for (const slot of slotsOfDay(key, day)) if (slot.listedTs <= nowTs) slots.push(slot);
  }
  return slots.sort((left, right) => left.listedTs - right.listedTs);
}

function startsOn(key: number, kind: SlotKind, dayNumber: number): boolean {
  const { weekday, day } = civilDay(dayNumber);
  if (kind.variant === 'archived') return weekday === TUESDAY && chance(key, dayNumber, 71) < 0.2;
  if (kind.variant === 'add-on') return weekday === FRIDAY && chance(key, dayNumber, 72) < 0.5;
  if (kind.variant === 'mention') return weekday === TUESDAY;
  if (kind.family === '2d') return dayNumber % 2 === 0;
  if (kind.family === '7d') return weekday === TUESDAY || weekday === FRIDAY;
  return day === 1;
}

function makeSlot(key: number, kind: SlotKind, dayNumber: number): CountSlot {
  const eventId = dayNumber * CODES + kind.code;
  const window = windowOf(kind.family, dayNumber);
  const leadMs = kind.leadDays * DAY_MS - chance(key, eventId, 73) * 6 * HOUR_MS;
  return {
    eventId,
    dayNumber,
    accountId: kind.accountId,
    family: kind.family,
    variant: kind.variant,
    window,
    listedTs: Math.round(window.startTs - leadMs),
  };
}

function windowOf(family: CountFamily, dayNumber: number): CountWindow {
  if (family === 'month') {
    const { year, month } = civilDay(dayNumber);
    const nextMonth = dayNumberOf(year, month + 1, 1);
    return { startTs: easternMidnightTs(dayNumber), endTs: easternMidnightTs(nextMonth) };
  }
  const days = family === '2d' ? 2 : 7;
  return { startTs: easternNoonTs(dayNumber), endTs: easternNoonTs(dayNumber + days) };
}
