// Crypto price events, priced from the reference price.

import { SECOND_MS } from '../../src/domain/units.ts';
import { chance } from '../chance.ts';
import { rememberLatest } from '../market/latest-prices.ts';
import type { EventBook, ListedEvent, ListedMarket } from '../market/listed-event.ts';
import { remember } from '../market/remember.ts';
import { type CryptoSlot, cryptoSlotsListedBy, FIRST_CRYPTO_ID, findCryptoSlot } from './crypto-calendar.ts';
import { listCryptoEvent, listCryptoMarkets } from './crypto-listing.ts';
import { createCryptoPrices } from './crypto-prices.ts';

const CACHED_EVENTS = 600;

export function createCryptoEvents(seedKey: number): EventBook {
  const { priceAt, strikes, settledTs, priceOne } = createCryptoPrices(seedKey);
  const listedEvents = new Map<number, ListedEvent>();
  const marketsOf = new Map<number, readonly ListedMarket[]>();

  function listed(slot: CryptoSlot): ListedEvent {
    const known = listedEvents.get(slot.eventId);
    if (known) return known;
    const event = listCryptoEvent(seedKey, slot);
    remember(listedEvents, slot.eventId, event, CACHED_EVENTS);
    return event;
  }

  const slotOf = (event: ListedEvent) => findCryptoSlot(event.eventId)!;
  return {
    list: (nowTs) => cryptoSlotsListedBy(nowTs).map(listed),
    find(eventId, nowTs) {
      const slot = eventId >= FIRST_CRYPTO_ID ? findCryptoSlot(eventId) : null;
      return slot && slot.listedTs <= nowTs ? listed(slot) : null;
    },
    markets(event) {
      const known = marketsOf.get(event.eventId);
      if (known) return known;
      const markets = listCryptoMarkets(seedKey, event, slotOf(event), strikes(slotOf(event)));
      remember(marketsOf, event.eventId, markets, CACHED_EVENTS);
      return markets;
    },
    prices: rememberLatest((event, ts) => {
      const slot = slotOf(event);
      return strikes(slot).map((strike, index) => priceOne(event, slot, strike, index, ts));
    }),
    settledTs: (event, nowTs) => settledTs(slotOf(event), nowTs),
    uiCount: () => undefined,
    metadata(event, ts) {
      const slot = slotOf(event);
      if (!slot.family.startsWith('updown')) return undefined;
      // The price to beat is published a few seconds after the window opens.
      const knownTs = slot.startTs + (5 + 25 * chance(seedKey, slot.eventId, 92)) * SECOND_MS;
      if (ts < knownTs) return undefined;
      const isOver = ts >= slot.endTs + 30 * SECOND_MS;
      return {
        priceToBeat: priceAt(slot, slot.startTs),
        ...(isOver ? { finalPrice: priceAt(slot, slot.endTs) } : {}),
      };
    },
  };
}
