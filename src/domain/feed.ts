// Feeds that the counts depend on, and how fresh each one is.

/** own: posts of the account; oracle and ui: counts; market: events; prices: books; forecast: our own. */
export type FeedName = 'own' | 'oracle' | 'ui' | 'market' | 'prices' | 'forecast';

export interface FeedStatus {
  feed: FeedName;
  /** Last valid answer of the feed; null before the first. */
  updatedTs: number | null;
  /** Longer silence means stale. */
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

export function isStale(status: FeedStatus, nowTs: number): boolean {
  return status.updatedTs === null || nowTs - status.updatedTs > status.staleAfterMs;
}
