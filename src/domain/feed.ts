// Feeds that the counts depend on, and how fresh each one is.

import type { VenueId } from './contract.ts';

/** own: the account's posts; oracle, ui: counts; market: events; prices: books; forecast: our forecasts. */
export type FeedName = 'own' | 'oracle' | 'ui' | 'market' | 'prices' | 'forecast';

export interface FeedStatus {
  feed: FeedName;
  /** Set for feeds of an additional venue; absent for the first venue and for account feeds. */
  venue?: VenueId;
  /** Time of the feed's last valid response; null before the first. */
  updatedTs: number | null;
  /** The feed is stale after this long without a response. */
  staleAfterMs: number;
  /** Why the last attempt failed or was postponed; null if healthy. */
  problem: string | null;
  /** A problem the operator should see in /health although the feed responds. Absent or null if none. */
  alarm?: string | null;
  /** If the feed has several sources: the current one and its median delay. */
  source?: string;
  lagMs?: number;
}

/** One of the sources of an account's posts. */
export interface PostSourceStatus {
  name: string;
  /**
   * leads: its posts make up the count; repairs: fills in what the leader missed; stopped: waits for the
   * operator.
   */
  state: 'leads' | 'repairs' | 'failing' | 'stopped';
  /** Time of its last response; null before the first. */
  answeredTs: number | null;
  lagMs: number;
  problem: string | null;
  /** Estimated cost of reading it; absent if free. */
  spend?: { dayUsd: number; monthUsd: number; capUsd: number | null };
}

/** Public name: `prices`, `kalshi_prices`. */
export function nameFeed({ feed, venue }: Pick<FeedStatus, 'feed' | 'venue'>): string {
  return venue === undefined ? feed : `${venue}_${feed}`;
}

export function findFeed(
  feeds: readonly FeedStatus[],
  feed: FeedName,
  venue?: VenueId,
): FeedStatus | undefined {
  return feeds.find((status) => status.feed === feed && status.venue === venue);
}

export function isStale(status: FeedStatus, nowTs: number): boolean {
  return status.updatedTs === null || nowTs - status.updatedTs > status.staleAfterMs;
}
