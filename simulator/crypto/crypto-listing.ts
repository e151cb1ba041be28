// Crypto events and their markets in the market's listing format.

import { chance } from '../chance.ts';
import type { EventKind, ListedEvent, ListedMarket } from '../market/listed-event.ts';
import { identify, makeMarketId, versionOf } from '../market/listed-event.ts';
import type { CryptoSlot } from './crypto-calendar.ts';
import { cryptoWords } from './crypto-words.ts';

const CRYPTO_TAG = { id: '21', label: 'Crypto', slug: 'crypto' };
const PRICES_TAG = { id: '1312', label: 'Crypto Prices', slug: 'crypto-prices' };

export function listCryptoEvent(seedKey: number, slot: CryptoSlot): ListedEvent {
  const words = cryptoWords(slot);
  return {
    eventId: slot.eventId,
    version: versionOf(seedKey, slot.eventId),
    kind: kindOf(slot),
    accountId: null,
    title: words.title,
    slug: words.slug,
    description: words.rules,
    image: `https://images.example/${slot.asset.ticker}.png`,
    listedTs: slot.listedTs,
    startTs: slot.startTs,
    endTs: slot.endTs,
    series: {
      id: words.seriesId,
      slug: words.seriesSlug,
      title: words.seriesSlug.replaceAll('-', ' '),
      recurrence: words.recurrence,
    },
    tags: [
      CRYPTO_TAG,
      PRICES_TAG,
      {
        id: `23${slot.asset.ticker.length}${slot.asset.decimals}`,
        label: slot.asset.word,
        slug: slot.asset.stem,
      },
    ],
    isNegRisk: slot.family === 'range',
    isArchived: false,
    fee: { type: 'crypto_fees', rate: 0.07 },
    tick: 0.01,
    depthUsd: 300,
    halfSpread: 0.006,
    volumeUsd: 40_000 * (0.5 + chance(seedKey, slot.eventId, 91)),
  };
}

export function listCryptoMarkets(
  seedKey: number,
  event: ListedEvent,
  slot: CryptoSlot,
  strikes: readonly { label: string }[],
): ListedMarket[] {
  const isUpDown = slot.family.startsWith('updown');
  return strikes.map((strike, index) => {
    const marketId = makeMarketId(event.eventId, index);
    return {
      marketId,
      index,
      label: strike.label,
      question: isUpDown
        ? event.title
        : `${event.title.replace('___', strike.label).replace('?', '')} ${strike.label}?`,
      slug: isUpDown
        ? event.slug
        : `${event.slug}-${strike.label.replaceAll(/[^0-9a-z.]+/gi, '').toLowerCase()}`,
      outcomes: isUpDown ? (['Up', 'Down'] as const) : (['Yes', 'No'] as const),
      ...identify(seedKey, event.version, marketId),
    };
  });
}

function kindOf(slot: CryptoSlot): EventKind {
  return slot.family === 'updown-15m' || slot.family === 'updown-1h' ? 'updown' : slot.family;
}
