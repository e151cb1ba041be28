// The calendar of count events. It depends only on the civil day, so that an event's id determines its start.

import { countLeading } from '../src/domain/binary-search.ts';
import type { CountWindow } from '../src/domain/market-event.ts';
import { DAY_MS, HOUR_MS } from '../src/domain/units.ts';
import { UsageError } from '../src/runtime/errors.ts';
import { chance } from './chance.ts';
import { civilDay, dayNumberOf, easternDayNumber, easternMidnightTs, easternNoonTs } from './eastern-time.ts';
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

/** A kind of event; `code` distinguishes kinds with the same day and base. */
export interface SlotKind {
  code: number;
  family: CountFamily;
  variant: CountVariant;
  leadDays: number;
}

/** Accounts with listed events. */
export interface CalendarAccount {
  accountId: string;
  eventIdBase: number;
  slots: readonly SlotKind[];
}

interface AccountSlot extends SlotKind {
  accountId: string;
  eventIdBase: number;
}

const CODES = 16;

export const MAIN_SLOTS: readonly SlotKind[] = [
  { code: 1, family: '2d', variant: 'count', leadDays: 2 },
  { code: 2, family: '7d', variant: 'count', leadDays: 3 },
  { code: 3, family: 'month', variant: 'count', leadDays: 5 },
];

/** Decoys listed alongside the main events. */
export const TRAP_SLOTS: readonly SlotKind[] = [
  { code: 7, family: '7d', variant: 'archived', leadDays: 4 },
  { code: 8, family: '7d', variant: 'add-on', leadDays: 1 },
  { code: 9, family: '7d', variant: 'mention', leadDays: 2 },
];

const MAX_LEAD_DAYS = 7;
const TUESDAY = 2;
const FRIDAY = 5;

export interface EventCalendar {
  /** Every slot that starts after the anchor and is listed by `nowTs`, in listing order; the same list until it grows. */
  listedBy(nowTs: number): readonly CountSlot[];
  find(eventId: number): CountSlot | null;
}

export function createEventCalendar(
  key: number,
  anchorTs: number,
  accounts: readonly CalendarAccount[],
): EventCalendar {
  const kinds = listKinds(accounts);
  const bases = [...new Set(kinds.map(({ eventIdBase }) => eventIdBase))].sort((left, right) => right - left);
  const firstDay = easternDayNumber(anchorTs) + 1;
  const days: CountSlot[][] = [];
  const byId = new Map<number, CountSlot>();
  let byListing: CountSlot[] = [];
  let daysInListing = 0;
  let listed: readonly CountSlot[] = [];

  function slotsOfDay(dayNumber: number): CountSlot[] {
    for (let day = firstDay + days.length; day <= dayNumber; day++) {
      const slots = kinds.filter((kind) => startsOn(key, kind, day)).map((kind) => makeSlot(key, kind, day));
      days.push(slots);
      for (const slot of slots) byId.set(slot.eventId, slot);
    }
    return days[dayNumber - firstDay] ?? [];
  }

  return {
    listedBy(nowTs) {
      slotsOfDay(easternDayNumber(nowTs) + MAX_LEAD_DAYS);
      if (daysInListing < days.length) {
        byListing = days.flat().sort((left, right) => left.listedTs - right.listedTs);
        daysInListing = days.length;
      }
      const count = countLeading(byListing.length, (i) => byListing[i]!.listedTs <= nowTs);
      if (listed.length !== count) listed = byListing.slice(0, count);
      return listed;
    },
    find(eventId) {
      const base = bases.find((candidate) => candidate <= eventId) ?? 0;
      const dayNumber = Math.floor((eventId - base) / CODES);
      // Ids of other families are centuries apart; looking them up must not extend the calendar.
      if (dayNumber < firstDay || dayNumber > firstDay + 4_000) return null;
      slotsOfDay(dayNumber);
      return byId.get(eventId) ?? null;
    },
  };
}

/** By base, then code: the order in which a day's events are listed. */
function listKinds(accounts: readonly CalendarAccount[]): AccountSlot[] {
  const kinds = accounts.flatMap(({ accountId, eventIdBase, slots }) =>
    slots.map((slot) => ({ ...slot, accountId, eventIdBase })),
  );
  kinds.sort((left, right) => left.eventIdBase - right.eventIdBase || left.code - right.code);
  const twin = kinds.find(
    ({ eventIdBase, code }, i) => kinds[i + 1]?.eventIdBase === eventIdBase && kinds[i + 1]?.code === code,
  );
  if (twin)
    throw new UsageError(`account ${twin.accountId} collides with another account; choose another id`);
  return kinds;
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

function makeSlot(key: number, kind: AccountSlot, dayNumber: number): CountSlot {
  const eventId = kind.eventIdBase + dayNumber * CODES + kind.code;
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
