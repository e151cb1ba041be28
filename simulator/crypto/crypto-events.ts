// Crypto price events, priced from a smooth course of each asset.

import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/domain/units.ts';
import { chance, hashNumbers, smoothNoise } from '../chance.ts';
import { rememberLatest } from '../market/latest-prices.ts';
import type { EventBook, ListedEvent, ListedMarket, MarketPrice } from '../market/listed-event.ts';
import { quoteAround, roundTo } from '../market/quotes.ts';
import { remember } from '../market/remember.ts';
import { type CryptoSlot, cryptoSlotsListedBy, FIRST_CRYPTO_ID, findCryptoSlot } from './crypto-calendar.ts';
import { listCryptoEvent, listCryptoMarkets } from './crypto-listing.ts';

const CACHED_EVENTS = 600;
const SETTLED_AFTER_MS = MINUTE_MS;
/** Typical change of a price over a day. */
const DAILY_MOVE = 0.03;

export function createCryptoEvents(seedKey: number): EventBook {
  const listedEvents = new Map<number, ListedEvent>();
  const marketsOf = new Map<number, readonly ListedMarket[]>();
  const slotOf = (event: ListedEvent) => findCryptoSlot(event.eventId)!;

  function listed(slot: CryptoSlot): ListedEvent {
    const known = listedEvents.get(slot.eventId);
    if (known) return known;
    const event = listCryptoEvent(seedKey, slot);
    remember(listedEvents, slot.eventId, event, CACHED_EVENTS);
    return event;
  }

  function priceAt({ asset }: CryptoSlot, ts: number): number {
    const noise = (salt: number, scaleMs: number) =>
      Math.sqrt(scaleMs / DAY_MS) * smoothNoise(hashNumbers(seedKey, asset.basePrice, salt), ts / scaleMs);
    const move = noise(1, 5 * MINUTE_MS) + noise(2, HOUR_MS) + noise(3, DAY_MS);
    return Number((asset.basePrice * Math.exp((DAILY_MOVE / 2) * move)).toPrecision(7));
  }

  /** The price to beat, or three levels on either side of the price at listing. */
  function levelsOf(slot: CryptoSlot): number[] {
    if (slot.family !== 'above') return [priceAt(slot, slot.startTs)];
    const { step } = slot.asset;
    const centre = Math.round(priceAt(slot, slot.listedTs) / step);
    return [-3, -2, -1, 0, 1, 2, 3].map((steps) => Number(((centre + steps) * step).toFixed(4)));
  }

  function priceOne(event: ListedEvent, slot: CryptoSlot, level: number, ts: number): MarketPrice {
    if (slot.endTs + SETTLED_AFTER_MS <= ts) {
      const wins = priceAt(slot, slot.endTs) >= level;
      const closed = { bid: null, ask: null, closedTs: slot.endTs + SETTLED_AFTER_MS };
      return { ...closed, mid: wins ? 1 : 0, last: wins ? 0.99 : 0.01, winner: wins ? 0 : 1 };
    }
    const isDrawn = slot.family === 'above' || ts >= slot.startTs;
    const sd = DAILY_MOVE * Math.sqrt(Math.max(SECOND_MS, slot.endTs - ts) / DAY_MS);
    const distance = isDrawn ? Math.log(priceAt(slot, ts) / level) / sd : 0;
    const mid = Math.min(0.99, Math.max(0.01, 1 / (1 + Math.exp(-1.7 * distance))));
    const last = roundTo(Math.round(mid * 100) / 100);
    return { mid, ...quoteAround(mid, event), last, closedTs: null, winner: null };
  }

  return {
    list: (nowTs) => cryptoSlotsListedBy(nowTs).map(listed),
    find(eventId, nowTs) {
      const slot = eventId >= FIRST_CRYPTO_ID ? findCryptoSlot(eventId) : null;
      return slot && slot.listedTs <= nowTs ? listed(slot) : null;
    },
    markets(event) {
      const known = marketsOf.get(event.eventId);
      if (known) return known;
      const markets = listCryptoMarkets(seedKey, event, levelsOf(slotOf(event)));
      remember(marketsOf, event.eventId, markets, CACHED_EVENTS);
      return markets;
    },
    prices: rememberLatest((event, ts) => {
      const slot = slotOf(event);
      return levelsOf(slot).map((level) => priceOne(event, slot, level, ts));
    }),
    settledTs(event, nowTs) {
      const settledTs = slotOf(event).endTs + SETTLED_AFTER_MS;
      return settledTs <= nowTs ? settledTs : null;
    },
    uiCount: () => undefined,
    metadata(event, ts) {
      const slot = slotOf(event);
      if (slot.family === 'above') return undefined;
      // The price to beat is published a few seconds after the window opens.
      const knownTs = slot.startTs + (5 + 25 * chance(seedKey, slot.eventId, 92)) * SECOND_MS;
      if (ts < knownTs) return undefined;
      const isOver = ts >= slot.endTs + 30 * SECOND_MS;
      const priceToBeat = priceAt(slot, slot.startTs);
      return { priceToBeat, ...(isOver ? { finalPrice: priceAt(slot, slot.endTs) } : {}) };
    },
  };
}
