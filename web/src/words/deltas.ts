// Describes how far a count is behind: "oracle 3 behind, 2 min old".

import { type CountersRecord, type FeedAge, nameVenue } from '../api/records.ts';
import { formatCount, formatLength } from './format.ts';

export const FEED_NAMES: Record<string, string> = {
  own: 'Posts',
  oracle: 'Oracle',
  ui: 'Market page',
  market: 'Events',
  prices: 'Prices',
};

/** Turns `kalshi_prices` into `Kalshi prices`. */
export function nameFeed(name: string): string {
  if (name === 'forecast') return 'Forecast';
  const [feed = name, venue] = name.split('_').reverse();
  const words = FEED_NAMES[feed] ?? feed;
  return venue === undefined ? words : `${nameVenue(venue)} ${words.toLowerCase()}`;
}

/** `behind` is our count minus the other count; null until both are known. */
export function describeLag(name: string, behind: number | null): string {
  if (behind === null) return `${name}: no data yet`;
  if (behind === 0) return `${name} matches`;
  return behind > 0 ? `${name} ${formatCount(behind)} behind` : `${name} ${formatCount(-behind)} ahead`;
}

type OwnCount = Pick<
  CountersRecord,
  'real_counter_low' | 'real_counter_high' | 'internal_delta' | 'market_oracle_counter'
>;

/** Text under our count. Gives the other two by number, because "they agree" would read as "with ours". */
export function describeOwn(record: OwnCount): string {
  const { real_counter_low: low, real_counter_high: high, internal_delta: ahead } = record;
  if (low !== undefined && high !== undefined) return `between ${low} and ${high}: some posts are uncertain`;
  if (ahead === null) return 'includes posts deleted later';
  if (ahead === 0) return `page and oracle: ${formatCount(record.market_oracle_counter)}`;
  return ahead > 0 ? `page ${ahead} ahead of oracle` : `page ${-ahead} behind oracle`;
}

/** Whether it lacks news, rather than only older posts. */
export function isLate({ stale, incomplete }: FeedAge): boolean {
  return stale && !incomplete;
}

export function nameFeedState({ stale, incomplete }: FeedAge): string {
  return incomplete ? 'incomplete' : stale ? 'stale' : 'live';
}

export function describeAge(feed: FeedAge | undefined, serverNowTs: number): string {
  if (!feed || feed.updated_ts === null) return 'no data yet';
  const ageMs = Math.max(0, serverNowTs - feed.updated_ts);
  return ageMs < 2_000 ? 'just now' : `${formatLength(ageMs)} old`;
}
