// What can happen to an account's state. Observations of the outside (posts, deletions, events, counts, quotes,
// settlements) are durable before they are applied; feed status and forecasts are recomputed after a restart and
// exist only in the saved snapshot.

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
  /** Posts that were not known before. */
  | { kind: 'posts-captured'; posts: readonly CapturedPost[]; captureDelay: CaptureDelay }
  /** Read from the store again, because it may have more than the snapshot. */
  | {
      kind: 'posts-recounted';
      totalPosts: number;
      recentPosts: readonly CapturedPost[];
      realCounts: Readonly<Record<number, number>>;
      doubts: Readonly<Record<number, CountDoubt>>;
    }
  | { kind: 'posts-deleted'; deletions: readonly PostDeletion[]; isTextBlanked: boolean }
  /** The events that the market lists now; realCounts holds our own count of each. */
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
      /** The instant that the answer speaks for. */
      observedTs: number;
      problem?: string | null;
      alarm?: string | null;
      /** The answering source, where a feed has several, and when its silence means stale. */
      from?: { source: string; lagMs: number; staleAfterMs: number };
    }
  | { kind: 'feed-troubled'; feed: FeedName; problem: string }
  | { kind: 'sources-told'; sources: readonly PostSourceStatus[] }
  /** What an operator should know of a subject; null once it is over. */
  | { kind: 'notice-told'; about: string; text: string | null }
  /** What is worth knowing of a subject and makes nothing worse. */
  | { kind: 'remark-told'; about: string; text: string }
  /** Whether posts from before the first start are still to come. */
  | { kind: 'past-told'; isMissing: boolean }
  | { kind: 'event-settled'; eventId: number; settlement: SettledCount }
  | {
      kind: 'forecasts-published';
      forecasts: readonly PublishedForecast[];
      activity: AccountActivity;
      jointFinals: JointFinals | null;
    }
  | { kind: 'advice-published'; standing: StandingAdviceByEvent; evidence: EdgeEvidence };
