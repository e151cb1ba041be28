// Crypto events and their markets in the market's listing format.

import { hashLabel } from '../../src/runtime/random.ts';
import { chance } from '../chance.ts';
import { civilDay, easternDayNumber, easternHour } from '../eastern-time.ts';
import type { ListedEvent, ListedMarket } from '../market/listed-event.ts';
import { identify, makeMarketId, versionOf } from '../market/listed-event.ts';
import type { CryptoSlot } from './crypto-calendar.ts';

const CRYPTO_TAG = { id: '21', label: 'Crypto', slug: 'crypto' };
const PRICES_TAG = { id: '1312', label: 'Crypto Prices', slug: 'crypto-prices' };

export function listCryptoEvent(seedKey: number, slot: CryptoSlot): ListedEvent {
  const { asset, family, eventId, listedTs, startTs, endTs } = slot;
  const { title, slug, seriesSlug, recurrence, description } = wordsOf(slot);
  return {
    ...{ eventId, title, slug, description, listedTs, startTs, endTs },
    version: versionOf(seedKey, eventId),
    kind: family === 'above' ? 'above' : 'updown',
    accountId: null,
    image: `https://images.example/${asset.ticker}.png`,
    series: {
      id: String(20_000 + (hashLabel(seriesSlug) % 70_000)),
      slug: seriesSlug,
      title: seriesSlug.replaceAll('-', ' '),
      recurrence,
    },
    tags: [CRYPTO_TAG, PRICES_TAG],
    isNegRisk: false,
    isArchived: false,
    fee: { type: 'crypto_fees', rate: 0.07 },
    tick: 0.01,
    depthUsd: 300,
    halfSpread: 0.006,
    volumeUsd: 40_000 * (0.5 + chance(seedKey, eventId, 91)),
  };
}

export function listCryptoMarkets(
  seedKey: number,
  event: ListedEvent,
  levels: readonly number[],
): ListedMarket[] {
  return levels.map((level, index) => {
    const marketId = makeMarketId(event.eventId, index);
    const market = { marketId, index, ...identify(seedKey, event.version, marketId) };
    if (event.kind === 'updown')
      return { ...market, label: '', question: event.title, slug: event.slug, outcomes: ['Up', 'Down'] };
    const label = `$${level.toLocaleString('en-US')}`;
    const question = event.title.replace('___', label);
    return { ...market, label, question, slug: `${event.slug}-${level}`, outcomes: ['Yes', 'No'] };
  });
}

function wordsOf({ asset, family, startTs, endTs }: CryptoSlot) {
  const { ticker, word } = asset;
  const source =
    family === 'updown-15m' ? 'the 60-second TWAP of the Chainlink data stream' : 'a Binance candle';
  const description = `Resolves by the price at the end of the window, by ${source}.`;
  const { monthName, day } = civilDay(easternDayNumber(family === 'above' ? endTs : startTs));
  const date = `${monthName} ${day}`;
  const dateSlug = date.toLowerCase().replace(' ', '-');
  if (family === 'above')
    return {
      ...{ title: `${word} above ___ on ${date}?`, slug: `${word.toLowerCase()}-above-on-${dateSlug}` },
      ...{ seriesSlug: `${ticker}-multi-strikes-daily`, recurrence: 'daily', description },
    };
  const isQuarter = family === 'updown-15m';
  const span = isQuarter ? `${clock(startTs)}-${clock(endTs)}` : clock(startTs);
  return {
    title: `${word} Up or Down - ${date}, ${span} ET`,
    slug: `${ticker}-updown-${isQuarter ? '15m' : '1h'}-${startTs / 1000}`,
    seriesSlug: `${ticker}-up-or-down-${isQuarter ? '15m' : 'hourly'}`,
    ...{ recurrence: isQuarter ? '15m' : 'hourly', description },
  };
}

/** 12AM, 3:15PM. */
function clock(ts: number): string {
  const minutes = Math.round(easternHour(ts) * 60) % (24 * 60);
  const hour = Math.floor(minutes / 60);
  const rest = minutes % 60 === 0 ? '' : `:${String(minutes % 60).padStart(2, '0')}`;
  return `${hour % 12 === 0 ? 12 : hour % 12}${rest}${hour < 12 ? 'AM' : 'PM'}`;
}
