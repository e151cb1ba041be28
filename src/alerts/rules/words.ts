// Writes an alert's title and text. Pure.

import { describeDeletions } from '../../domain/counting-rule.ts';
import type { MarketEvent } from '../../domain/market-event.ts';
import { HOUR_MS, MINUTE_MS } from '../../domain/units.ts';
import { centsSign, percent } from '../../trade/advice/reasons.ts';
import type { FactReading } from './watched.ts';

type Data = Readonly<Record<string, unknown>>;

const TITLES: Record<string, (data: Data) => string> = {
  begun: (data) => splitSentence(data).order,
  ended: (data) => `${ORDERS[String(data.action)] ?? data.action} ${data.bucket} ended`,
  crossed: (data) => `count passed ${data.passed_bucket}`,
  woke: () => 'posting again',
  quiet: (data) => `quiet for ${writeMinutes(data.silent_minutes)}`,
  apart: (data) => `our count and the oracle differ by ${Math.abs(Number(data.apart))}`,
  dark: (data) => `${nameOf(data.feed)} stale`,
  back: (data) => `${nameOf(data.feed)} back`,
  moved: (data) => `${data.bucket} at ${writeCents(data.market_price)}`,
  opened: () => 'window opened',
  closing: () => 'window closing',
  settled: (data) => `settled at ${data.final_count}`,
};

const ORDERS: Record<string, string> = { BUY: 'Buy Yes of', BUY_NO: 'Buy No of', SELL: 'Sell' };

/** Splits "Buy 12 No of 100-119 at 54¢ or less: blended probability 61%" into order and reason. */
function splitSentence({ sentence }: Data): { order: string; reason: string } {
  const [order, ...rest] = String(sentence).split(': ');
  const reason = rest.join(': ');
  return {
    order: order!,
    reason: reason === '' ? '' : `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`,
  };
}

const FEEDS: Record<string, string> = {
  own: 'posts',
  oracle: 'oracle',
  ui: "market's counter",
  market: 'market',
  prices: 'prices',
  forecast: 'forecast',
};

const TEXTS: Record<string, (data: Data, nowTs: number) => string> = {
  begun: (data) =>
    `${splitSentence(data).reason} Model ${percent(Number(data.model_prob))}, market ${centsSign(Number(data.market_price))}.`,
  ended: () => 'The advice has ended.',
  crossed: (data) => `Own count ${data.real_counter}, now in ${data.bucket}.`,
  woke: (data) => `First post after ${writeMinutes(data.silent_minutes)} or more of silence.`,
  quiet: (data, nowTs) => `Last post ${writeMinutes((nowTs - Number(data.last_post_ts)) / MINUTE_MS)} ago.`,
  apart: (data) => `Own count ${data.real_counter}, oracle ${data.market_oracle_counter}.`,
  dark: (data, nowTs) =>
    data.updated_ts === null
      ? 'It has not responded yet.'
      : `Last update ${writeMinutes((nowTs - Number(data.updated_ts)) / MINUTE_MS)} ago.`,
  back: () => 'The feed has recovered.',
  moved: (data) => `From ${writeCents(data.from_price)} to ${writeCents(data.market_price)}.`,
  opened: (data, nowTs) =>
    `Posts count for the next ${writeMinutes((Number(data.end_ts) - nowTs) / MINUTE_MS)}.`,
  closing: (data, nowTs) =>
    `${writeMinutes((Number(data.end_ts) - nowTs) / MINUTE_MS)} left, own count ${data.real_counter ?? 'unknown'}.`,
  settled: (data) => `Winner: ${data.winning_bucket ?? 'not known yet'}.`,
};

export function writeWords(
  { what, event, data }: Pick<FactReading, 'what' | 'event' | 'data'>,
  accountName: string,
  nowTs: number,
): { title: string; text: string } {
  const title = TITLES[what!]!(data);
  const text = TEXTS[what!]!(data, nowTs);
  return { title: `${accountName}: ${title}`, text: event ? `${text} ${nameEvent(event)}` : text };
}

/** Appends an additional venue and its counting rule, to distinguish it from the first venue's event. */
function nameEvent({ title, terms }: MarketEvent): string {
  if (!terms) return title;
  const venue = terms.venue.charAt(0).toUpperCase() + terms.venue.slice(1);
  return `${title} (${venue}, ${describeDeletions(terms.countingRule)})`;
}

/** Prefixes an additional venue's feed with the venue: `kalshi prices`. */
function nameOf(feed: unknown): string {
  const [last, venue] = String(feed).split('_').reverse();
  const name = FEEDS[last!] ?? last!;
  return venue === undefined ? name : `${venue} ${name}`;
}

function writeMinutes(value: unknown): string {
  const minutes = Math.max(0, Math.round(Number(value)));
  if (minutes < 120) return `${minutes} min`;
  const hours = Math.round((minutes * MINUTE_MS) / HOUR_MS);
  return hours < 72 ? `${hours} h` : `${Math.round(hours / 24)} d`;
}

function writeCents(value: unknown): string {
  return `${Math.round(Number(value) * 1000) / 10} ¢`;
}
