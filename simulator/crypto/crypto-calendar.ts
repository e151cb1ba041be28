// Crypto price events: up or down over 15 minutes or an hour, and above a level at noon.

import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/domain/units.ts';
import { easternDayNumber, easternNoonTs } from '../eastern-time.ts';

export interface CryptoAsset {
  /** Short name in slugs and series, and the name in titles. */
  ticker: string;
  word: string;
  basePrice: number;
  /** Distance between levels. */
  step: number;
}

export type CryptoFamily = 'updown-15m' | 'updown-1h' | 'above';

export interface CryptoSlot {
  eventId: number;
  family: CryptoFamily;
  asset: CryptoAsset;
  startTs: number;
  endTs: number;
  listedTs: number;
}

const ASSETS: readonly CryptoAsset[] = [
  { ticker: 'btc', word: 'Bitcoin', basePrice: 92_000, step: 2_000 },
  { ticker: 'eth', word: 'Ethereum', basePrice: 3_100, step: 100 },
  { ticker: 'sol', word: 'Solana', basePrice: 165, step: 10 },
  { ticker: 'xrp', word: 'XRP', basePrice: 2.3, step: 0.1 },
];

interface FamilyHabit {
  code: number;
  tickers: readonly string[];
  lengthMs: number;
  /** How long before its start an event is listed, and how long after its end lists still include it. */
  leadMs: number;
  keepMs: number;
}

const QUARTER_MS = 15 * MINUTE_MS;

const FAMILIES: Record<CryptoFamily, FamilyHabit> = {
  'updown-15m': {
    ...{ code: 1, tickers: ['btc', 'eth', 'sol', 'xrp'], lengthMs: QUARTER_MS },
    ...{ leadMs: HOUR_MS, keepMs: 2 * HOUR_MS },
  },
  'updown-1h': {
    ...{ code: 2, tickers: ['btc', 'eth'], lengthMs: HOUR_MS, leadMs: 2 * HOUR_MS, keepMs: 12 * HOUR_MS },
  },
  above: { code: 3, tickers: ['btc', 'eth'], lengthMs: DAY_MS, leadMs: DAY_MS, keepMs: 5 * DAY_MS },
};

/** Far above the ids of count events. Ids encode quarter-hours since 1970, then asset and family. */
export const FIRST_CRYPTO_ID = 100_000_000;

function slotFor(family: CryptoFamily, asset: CryptoAsset, startTs: number): CryptoSlot {
  const { code, leadMs, lengthMs } = FAMILIES[family];
  const eventId = Math.floor(startTs / QUARTER_MS) * 64 + ASSETS.indexOf(asset) * 8 + code;
  const endTs = family === 'above' ? easternNoonTs(easternDayNumber(startTs) + 1) : startTs + lengthMs;
  return { eventId, family, asset, startTs, endTs, listedTs: startTs - leadMs };
}

export function findCryptoSlot(eventId: number): CryptoSlot | null {
  const startTs = Math.floor(eventId / 64) * QUARTER_MS;
  const asset = ASSETS[Math.floor((eventId % 64) / 8)];
  const family = (Object.keys(FAMILIES) as CryptoFamily[]).find(
    (name) => FAMILIES[name].code === eventId % 8,
  );
  if (!asset || !family || !FAMILIES[family].tickers.includes(asset.ticker)) return null;
  return startsBetween(family, startTs, startTs + 1).length > 0 ? slotFor(family, asset, startTs) : null;
}

/** Start times of a family in [fromTs, toTs). */
function startsBetween(family: CryptoFamily, fromTs: number, toTs: number): number[] {
  const starts: number[] = [];
  if (family === 'above') {
    for (let day = easternDayNumber(fromTs); day <= easternDayNumber(toTs); day++)
      starts.push(easternNoonTs(day));
  } else {
    const stepMs = FAMILIES[family].lengthMs;
    for (let ts = Math.ceil(fromTs / stepMs) * stepMs; ts < toTs; ts += stepMs) starts.push(ts);
  }
  return starts.filter((ts) => ts >= fromTs && ts < toTs);
}

export function cryptoSlotsListedBy(nowTs: number): CryptoSlot[] {
  const slots = (Object.keys(FAMILIES) as CryptoFamily[]).flatMap((family) => {
    const { keepMs, leadMs, lengthMs, tickers } = FAMILIES[family];
    const assets = ASSETS.filter(({ ticker }) => tickers.includes(ticker));
    return startsBetween(family, nowTs - keepMs - lengthMs - HOUR_MS, nowTs + leadMs + 1)
      .flatMap((startTs) => assets.map((asset) => slotFor(family, asset, startTs)))
      .filter(({ endTs }) => endTs + keepMs > nowTs);
  });
  return slots.sort((left, right) => left.listedTs - right.listedTs || left.eventId - right.eventId);
}
