// Changes to an account's state. External observations (posts, deletions, events, counts, quotes,
// settlements) are durable before they are applied; feed status and forecasts are recomputed after a restart
// and exist only in the saved snapshot.

import type { VenueId } from '../domain/contract.ts';
import type { EdgeEvidence } from '../domain/edge-evidence.ts';
import type { FeedName, PostSourceStatus } from '../domain/feed.ts';
import type { MarketEvent } from '../domain/market-event.ts';
import type { CapturedPost, PostDeletion } from '../domain/post.ts';
import type { Quote } from '../domain/quote.ts';
import type { StandingAdviceByEvent } from '../domain/standing-advice.ts';
import type { AccountActivity } from '../forecast/types.ts';
import type { CaptureDelay, CountDoubt, JointFinals, PublishedForecast, SettledCount } from './snapshot.ts';

export interface CountReading {
  eventId: number;
  count: number;
}

export type Observation =
  /** Only new posts. */
  | { kind: 'posts-captured'; posts: readonly CapturedPost[]; captureDelay: CaptureDelay }
  /** Counts read again from the store, which may have more posts than the snapshot. */
  | {
      kind: 'posts-recounted';
      totalPosts: number;
      recentPosts: readonly CapturedPost[];
      realCounts: Readonly<Record<number, number>>;
      doubts: Readonly<Record<number, CountDoubt>>;
    }
  | { kind: 'posts-deleted'; deletions: readonly PostDeletion[]; isTextBlanked: boolean }
  /** Events that the market lists now, with our own count of each in realCounts. */
  | {
      kind: 'events-listed';
      events: readonly MarketEvent[];
      realCounts: Readonly<Record<number, number>>;
      doubts?: Readonly<Record<number, CountDoubt>>;
    }
  | { kind: 'counts-read'; feed: 'oracle' | 'ui'; readings: readonly CountReading[]; observedTs: number }
  | { kind: 'quotes-read'; quotes: readonly Quote[] }
  | {
      kind: 'feed-answered';
      feed: FeedName;
      venue?: VenueId | undefined;
      /** The time the response refers to. */
      observedTs: number;
      problem?: string | null;
      alarm?: string | null;
      /** If the feed has several sources: which one responded, and how long until it is stale. */
      from?: { source: string; lagMs: number; staleAfterMs: number };
    }
  | { kind: 'feed-troubled'; feed: FeedName; venue?: VenueId | undefined; problem: string }
  | { kind: 'sources-set'; sources: readonly PostSourceStatus[] }
  /** A problem for the operator; null once resolved. */
  | { kind: 'notice-set'; about: string; text: string | null }
  /** A remark for the operator that degrades nothing. */
  | { kind: 'remark-set'; about: string; text: string }
  /** Whether history from before the first start is still missing. */
  | { kind: 'past-set'; isMissing: boolean }
  | { kind: 'event-settled'; eventId: number; settlement: SettledCount }
  | {
      kind: 'forecasts-published';
      forecasts: readonly PublishedForecast[];
      activity: AccountActivity;
      jointFinals: JointFinals | null;
    }
  | { kind: 'advice-published'; standing: StandingAdviceByEvent; evidence: EdgeEvidence };
