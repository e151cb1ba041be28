// Prices crypto markets from the reference price.

import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/domain/units.ts';
import { hashNumbers, smoothNoise } from '../chance.ts';
import type { ListedEvent, MarketPrice } from '../market/listed-event.ts';
import { quoteAround, roundTo } from '../market/quotes.ts';
import { remember } from '../market/remember.ts';
import type { CryptoSlot } from './crypto-calendar.ts';
import { averagePrice, probabilityAbove, referencePrice } from './price-path.ts';

const CACHED_AVERAGES = 2_000;

interface Strike {
  label: string;
  /** Resolves Yes if the price is in [lo, hi), or has touched lo or hi. */
  lo: number;
  hi: number;
}

export function createCryptoPrices(seedKey: number) {
  const averages = new Map<string, number>();

  /** Short windows settle on a one-minute average, the others on the spot price. */
  function priceAt(slot: CryptoSlot, ts: number): number {
    if (slot.family !== 'updown-15m') return referencePrice(seedKey, slot.asset, ts);
    const key = `${slot.asset.ticker}:${ts}`;
    const known = averages.get(key) ?? averagePrice(seedKey, slot.asset, ts, 60);
    if (!averages.has(key)) remember(averages, key, known, CACHED_AVERAGES);
    return known;
  }

  function strikes(slot: CryptoSlot): Strike[] {
    if (slot.family.startsWith('updown'))
      return [{ label: '', lo: priceAt(slot, slot.startTs), hi: Infinity }];
    const { strikeStep } = slot.asset;
    const centre = Math.round(priceAt(slot, slot.listedTs) / strikeStep) * strikeStep;
    const levels = [-3, -2, -1, 0, 1, 2, 3].map((steps) => round(centre + steps * strikeStep));
    if (slot.family === 'above') return levels.map((lo) => ({ label: money(lo), lo, hi: Infinity }));
    if (slot.family === 'touch') {
      return levels
        .filter((level) => level !== centre)
        .map((level) =>
          level > centre
            ? { label: `↑ ${money(level)}`, lo: level, hi: Infinity }
            : { label: `↓ ${money(level)}`, lo: 0, hi: level },
        );
    }
    const middle = levels
      .slice(0, -1)
      .map((lo, i) => ({ label: `${money(lo)}-${money(levels[i + 1]!)}`, lo, hi: levels[i + 1]! }));
    return [
      { label: `<${money(levels[0]!)}`, lo: 0, hi: levels[0]! },
      ...middle,
      { label: `>${money(levels.at(-1)!)}`, lo: levels.at(-1)!, hi: Infinity },
    ];
  }

  function probability(slot: CryptoSlot, strike: Strike, ts: number): number {
    if (slot.family.startsWith('updown') && ts < slot.startTs) return 0.5;
    const price = priceAt(slot, ts);
    const aheadMs = Math.max(0, slot.endTs - ts);
    const above = (level: number) =>
      level === 0
        ? 1
        : level === Infinity
          ? 0
          : probabilityAbove(Math.log(price / level), slot.asset.dailySd, aheadMs);
    if (slot.family !== 'touch') return above(strike.lo) - above(strike.hi);
    return Math.min(1, 2 * (strike.hi === Infinity ? above(strike.lo) : 1 - above(strike.hi)));
  }

  /** First full hour at which the level was reached; null if it never was. */
  function touchedTs(slot: CryptoSlot, strike: Strike, ts: number): number | null {
    for (let at = slot.startTs; at <= Math.min(ts, slot.endTs); at += HOUR_MS) {
      const price = priceAt(slot, at);
      if (strike.hi === Infinity ? price >= strike.lo : price <= strike.hi) return at;
    }
    return null;
  }

  function settledTs(slot: CryptoSlot, nowTs: number): number | null {
    const delayMs = slot.family.startsWith('updown') ? MINUTE_MS : 25 * MINUTE_MS;
    return slot.endTs + delayMs <= nowTs ? slot.endTs + delayMs : null;
  }

  function priceOne(
    event: ListedEvent,
    slot: CryptoSlot,
    strike: Strike,
    index: number,
    ts: number,
  ): MarketPrice {
    const touched = slot.family === 'touch' ? touchedTs(slot, strike, ts) : null;
    const closedTs = touched ?? settledTs(slot, ts);
    if (closedTs !== null) {
      const wins = slot.family === 'touch' ? touched !== null : probability(slot, strike, slot.endTs) > 0.5;
      return {
        mid: wins ? 1 : 0,
        bid: null,
        ask: null,
        last: wins ? 0.99 : 0.01,
        closedTs,
        winner: wins ? 0 : 1,
      };
    }
    const noise = 0.01 * smoothNoise(hashNumbers(seedKey, event.eventId, index), ts / (20 * SECOND_MS));
    const mid = Math.min(0.99, Math.max(0.01, probability(slot, strike, ts) + noise));
    return {
      mid,
      ...quoteAround(mid, event),
      last: roundTo(Math.round(mid * 100) / 100),
      closedTs: null,
      winner: null,
    };
  }

  return { priceAt, strikes, settledTs, priceOne };
}

function money(value: number): string {
  return `$${round(value).toLocaleString('en-US')}`;
}

function round(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}
