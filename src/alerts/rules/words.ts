// Wording that several alert kinds share. Pure.

import { describeDeletions } from '../../domain/counting-rule.ts';
import type { MarketEvent } from '../../domain/market-event.ts';
import { HOUR_MS, MINUTE_MS } from '../../domain/units.ts';
import type { AdviceAction } from './readings.ts';

export const ORDERS: Record<AdviceAction, string> = {
  BUY: 'Buy Yes of',
  BUY_NO: 'Buy No of',
  SELL: 'Sell',
};

/** Splits "Buy 12 No of 100-119 at 54¢ or less: blended probability 61%" into order and reason. */
export function splitSentence(sentence: string): { order: string; reason: string } {
  const [order, ...rest] = sentence.split(': ');
  const reason = rest.join(': ');
  return {
    order: order!,
    reason: reason === '' ? '' : `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`,
  };
}

const FEEDS: Record<string, string> = { own: 'posts', ui: "market's counter" };

/** Prefixes an additional venue's feed with the venue: `kalshi prices`. */
export function nameFeedPlainly(feed: string): string {
  const [last, venue] = feed.split('_').reverse();
  const name = FEEDS[last!] ?? last!;
  return venue === undefined ? name : `${venue} ${name}`;
}

/** Adds an additional venue and its counting rule, to distinguish it from the first venue's event. */
export function nameEvent({ title, terms }: MarketEvent): string {
  if (!terms) return title;
  const venue = terms.venue.charAt(0).toUpperCase() + terms.venue.slice(1);
  return `${title} (${venue}, ${describeDeletions(terms.countingRule)})`;
}

export function writeAge(ms: number): string {
  return writeMinutes(ms / MINUTE_MS);
}

export function writeMinutes(value: number): string {
  const minutes = Math.max(0, Math.round(value));
  if (minutes < 120) return `${minutes} min`;
  const hours = Math.round((minutes * MINUTE_MS) / HOUR_MS);
  return hours < 72 ? `${hours} h` : `${Math.round(hours / 24)} d`;
}

export function writeCents(price: number): string {
  return `${Math.round(price * 1000) / 10} ¢`;
}
