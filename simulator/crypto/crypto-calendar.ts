// Crypto price events: up or down over 15 minutes or an hour, above a strike at noon, in a range at noon, and
// touching a level within the week.

import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/domain/units.ts';
import { civilDay, easternDayNumber, easternMidnightTs, easternNoonTs } from '../eastern-time.ts';
import { ASSETS, type SimulatedAsset } from './price-path.ts';

export type CryptoFamily = 'updown-15m' | 'updown-1h' | 'above' | 'range' | 'touch';

export interface CryptoSlot {
  eventId: number;
  family: CryptoFamily;
  asset: SimulatedAsset;
  startTs: number;
  endTs: number;
  listedTs: number;
}

interface FamilyHabit {
  code: number;
  tickers: readonly string[];
  /** How long before its start an event is listed, and how long after its end lists still include it. */
  leadMs: number;
  keepMs: number;
}

const QUARTER_MS = 15 * MINUTE_MS;
const MONDAY = 1;

const FAMILIES: Record<CryptoFamily, FamilyHabit> = {
  'updown-15m': { code: 1, tickers: ['btc', 'eth', 'sol', 'xrp'], leadMs: HOUR_MS, keepMs: 2 * HOUR_MS },
  'updown-1h': { code: 2, tickers: ['btc', 'eth'], leadMs: 2 * HOUR_MS, keepMs: 12 * HOUR_MS },
  above: { code: 3, tickers: ['btc', 'eth'], leadMs: DAY_MS, keepMs: 5 * DAY_MS },
  range: { code: 4, tickers: ['btc'], leadMs: DAY_MS, keepMs: 5 * DAY_MS },
  touch: { code: 5, tickers: ['btc', 'eth'], leadMs: 2 * DAY_MS, keepMs: 21 * DAY_MS },
};

/** Far above the ids of count events. Ids encode quarter-hours since 1970, then asset and family. */
export const FIRST_CRYPTO_ID = 100_000_000;

function slotFor(family: CryptoFamily, asset: SimulatedAsset, startTs: number): CryptoSlot {
  const habit = FAMILIES[family];
  const eventId = Math.floor(startTs / QUARTER_MS) * 64 + ASSETS.indexOf(asset) * 8 + habit.code;
  return { eventId, family, asset, startTs, endTs: endOf(family, startTs), listedTs: startTs - habit.leadMs };
}

function endOf(family: CryptoFamily, startTs: number): number {
  if (family === 'updown-15m') return startTs + QUARTER_MS;
  if (family === 'updown-1h') return startTs + HOUR_MS;
  const day = easternDayNumber(startTs);
  return family === 'touch' ? easternMidnightTs(day + 7) : easternNoonTs(day + 1);
}

export function findCryptoSlot(eventId: number): CryptoSlot | null {
  const startTs = Math.floor(eventId / 64) * QUARTER_MS;
  const asset = ASSETS[Math.floor((eventId % 64) / 8)];
  const family = (Object.keys(FAMILIES) as CryptoFamily[]).find(
    (name) => FAMILIES[name].code === eventId % 8,
  );
  if (!asset || !family || !FAMILIES[family].tickers.includes(asset.ticker)) return null;
  const slot = slotFor(family, asset, startTs);
  return startsBetween(family, startTs, startTs + 1).includes(startTs) ? slot : null;
}

/** Start times of a family in [fromTs, toTs). */
function startsBetween(family: CryptoFamily, fromTs: number, toTs: number): number[] {
  if (family.startsWith('updown')) {
    const stepMs = family === 'updown-15m' ? QUARTER_MS : HOUR_MS;
    const starts: number[] = [];
    for (let ts = Math.ceil(fromTs / stepMs) * stepMs; ts < toTs; ts += stepMs) starts.push(ts);
    return starts;
  }
  const starts: number[] = [];
  for (let day = easternDayNumber(fromTs); day <= easternDayNumber(toTs); day++) {
    if (family === 'touch' && civilDay(day).weekday !== MONDAY) continue;
    const ts = family === 'touch' ? easternMidnightTs(day) : easternNoonTs(day);
    if (ts >= fromTs && ts < toTs) starts.push(ts);
  }
  return starts;
}

export function cryptoSlotsListedBy(nowTs: number): CryptoSlot[] {
  const slots: CryptoSlot[] = [];
  for (const [family, habit] of Object.entries(FAMILIES) as [CryptoFamily, FamilyHabit][]) {
    const reachMs = habit.keepMs + (family === 'touch' ? 7 * DAY_MS : DAY_MS);
    for (const startTs of startsBetween(family, nowTs - reachMs, nowTs + habit.leadMs + 1)) {
      for (const ticker of habit.tickers) {
        const slot = slotFor(family, ASSETS.find((asset) => asset.ticker === ticker)!, startTs);
        if (slot.endTs + habit.keepMs > nowTs) slots.push(slot);
      }
    }
  }
  return slots.sort((left, right) => left.listedTs - right.listedTs || left.eventId - right.eventId);
}
