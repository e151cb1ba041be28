// Feeds that the counts depend on, and how fresh each one is.

/** own: posts of the account; oracle and ui: counts; market: events; prices: books; forecast: our own. */
export type FeedName = 'own' | 'oracle' | 'ui' | 'market' | 'prices' | 'forecast';

export interface FeedStatus {
  feed: FeedName;
  /** Last time the feed answered truthfully; null when it never has. */
  updatedTs: number | null;
  /** Silence longer than this means dark. */
  staleAfterMs: number;
  /** Why the last attempt failed or was held back; null when all is well. */
  problem: string | null;
  /** What an operator must act on although the feed answers; /health tells it. Absent or null when there is nothing. */
  alarm?: string | null;
}

export function isStale(status: FeedStatus, nowTs: number): boolean {
  return status.updatedTs === null || nowTs - status.updatedTs > status.staleAfterMs;
}
