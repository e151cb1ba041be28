// What can happen to an account's state. What was seen of the simulator (posts, deletions, events, counts, quotes,
// settlements) is durable in the store before it is applied; how feeds fare and what is forecast is worked out anew
// after a restart, and lives in the saved snapshot alone.

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
  /** What the store holds, read anew because it may know more than was shown. */
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
      /** Which source answered, where a feed has several, and when its silence means dark. */
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
