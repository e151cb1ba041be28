// Feeds that the counts depend on, and how fresh each one is.

import type { VenueId } from './contract.ts';

/** own: posts of the account; oracle and ui: counts; market: events; prices: books; forecast: our own. */
export type FeedName = 'own' | 'oracle' | 'ui' | 'market' | 'prices' | 'forecast';

export interface FeedStatus {
  feed: FeedName;
  /** An additional venue's own feed; absent for the first venue and for the account. */
  venue?: VenueId;
  /** Last valid answer of the feed; null before the first. */
  updatedTs: number | null;
  /** Silence longer than this means stale. */
  staleAfterMs: number;
  /** Why the last attempt failed or was postponed; null if healthy. */
  problem: string | null;
  /** A problem for the operator although the feed answers, shown in /health. Absent or null if none. */
  alarm?: string | null;
  /** Current source, if there are several, and its median delay. */
  source?: string;
  lagMs?: number;
}

/** One of the sources of an account's posts. */
export interface PostSourceStatus {
  name: string;
  /**
   * leads: its answers are the count; repairs: fills in what the leader missed; stopped: waits for the
   * operator.
   */
  state: 'leads' | 'repairs' | 'failing' | 'stopped' | 'past only';
  /** Time of its last answer; null before the first. */
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
