// Titles, slugs and rules of crypto price events.

import { hashLabel } from '../../src/runtime/random.ts';
import { civilDay, easternDayNumber, easternHour } from '../eastern-time.ts';
import type { CryptoSlot } from './crypto-calendar.ts';

export interface CryptoWords {
  title: string;
  slug: string;
  seriesSlug: string;
  seriesId: string;
  recurrence: string;
  rules: string;
}

export function cryptoWords(slot: CryptoSlot): CryptoWords {
  const { asset } = slot;
  const start = civilDay(easternDayNumber(slot.startTs));
  const end = civilDay(easternDayNumber(slot.endTs));
  const day = `${end.monthName} ${end.day}`;
  const slugDay = day.toLowerCase().replace(' ', '-');
  const noonRules = `Resolves by the 12:00 ET one-minute close of ${asset.ticker.toUpperCase()}/USDT on Binance on ${day}.`;
  const source =
    slot.family === 'updown-15m' ? 'the 60-second TWAP of the Chainlink data stream' : 'the Binance candle';
  const windowRules = `Resolves to "Up" if the price at the end of the window, by ${source}, is greater than or equal to the price at its start.`;
  switch (slot.family) {
    case 'updown-15m':
      return words(
        `${asset.word} Up or Down - ${start.monthName} ${start.day}, ${clock(slot.startTs)}-${clock(slot.endTs)} ET`,
        `${asset.ticker}-updown-15m-${slot.startTs / 1000}`,
        `${asset.ticker}-up-or-down-15m`,
        '15m',
        windowRules,
      );
    case 'updown-1h':
      return words(
        `${asset.word} Up or Down - ${start.monthName} ${start.day}, ${clock(slot.startTs)} ET`,
        `${asset.stem}-up-or-down-${start.monthName.toLowerCase()}-${start.day}-${start.year}-${clock(slot.startTs).toLowerCase()}-et`,
        `${asset.ticker}-up-or-down-hourly`,
        'hourly',
        windowRules,
      );
    case 'above':
      return words(
        `${asset.word} above ___ on ${day}?`,
        `${asset.stem}-above-on-${slugDay}`,
        `${asset.ticker}-multi-strikes-daily`,
        'daily',
        noonRules,
      );
    case 'range':
      return words(
        `${asset.word} price on ${day}?`,
        `${asset.stem}-price-on-${slugDay}`,
        `${asset.ticker}-price-daily`,
        'daily',
        noonRules,
      );
    case 'touch':
      return words(
        `What price will ${asset.word} hit ${start.monthName} ${start.day}-${civilDay(easternDayNumber(slot.endTs) - 1).day}?`,
        `what-price-will-${asset.stem}-hit-${start.monthName.toLowerCase()}-${start.day}-${civilDay(easternDayNumber(slot.endTs) - 1).day}`,
        `${asset.stem}-hit-price-weekly`,
        'weekly',
        'Resolves to "Yes" as soon as a Binance one-minute candle reaches the price within the window.',
      );
  }
}

function words(
  title: string,
  slug: string,
  seriesSlug: string,
  recurrence: string,
  rules: string,
): CryptoWords {
  return {
    title,
    slug,
    seriesSlug,
    seriesId: String(20_000 + (hashLabel(seriesSlug) % 70_000)),
    recurrence,
    rules,
  };
}

/** 12AM, 3:15PM. */
function clock(ts: number): string {
  const hour = easternHour(ts);
  const whole = Math.floor(hour + 1e-6);
  const minutes = Math.round((hour - whole) * 60);
  const shown = whole % 12 === 0 ? 12 : whole % 12;
  return `${shown}${minutes ? `:${String(minutes).padStart(2, '0')}` : ''}${whole % 24 < 12 ? 'AM' : 'PM'}`;
}
