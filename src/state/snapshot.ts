// The current state of one account: immutable, and plain JSON so that it can be passed to threads, database
// rows and replicas.

import type { AccountId } from '../domain/account.ts';
import type { ContractTerms, VenueId } from '../domain/contract.ts';
import type { KindLesson } from '../domain/counted-kinds.ts';
import type { CryptoMarket } from '../domain/crypto-market.ts';
import type { FeedName, FeedStatus, PostSourceStatus } from '../domain/feed.ts';
import type { Counters, MarketEvent } from '../domain/market-event.ts';
import type { CapturedPost, PostDeletion } from '../domain/post.ts';
import type { Quote } from '../domain/quote.ts';
import type { EdgeEvidence, StandingAdvice, StandingAdviceByEvent } from '../domain/standing-advice.ts';
import type { AccountActivity, JointFinals, PublishedForecast } from '../forecast/types.ts';

/** Settlement result once known; late corrections increase the revision. */
export interface SettledCount {
  finalCount: number;
  winningLabel: string | null;
  revision: number;
}

export type { JointFinals, PublishedForecast };

export interface EventState {
  event: MarketEvent;
  counters: Counters;
  /** When each count's feed last confirmed it; null if never. */
  oracleUpdatedTs: number | null;
  uiUpdatedTs: number | null;
  forecast: PublishedForecast | null;
  settlement?: SettledCount | null;
  /** Posts in the window that may or may not count; absent if there are none. */
  doubt?: CountDoubt;
}

/** Our own count is between real - counted and real + uncounted. */
export interface CountDoubt {
  counted: number;
  uncounted: number;
  /** Undoubted replies to itself, counted and uncounted: kinds on which the oracle may disagree. */
  ownThread?: number;
  otherThread?: number;
}

export interface CaptureDelay {
  /** From creation on the platform to being counted here, in milliseconds; null without samples. */
  medianMs: number | null;
  p90Ms: number | null;
  p99Ms: number | null;
  sampleSize: number;
}

export interface AccountSnapshot {
  accountId: AccountId;
  /** Terms for events without their own: those of the account's first venue. Absent in older snapshots. */
  terms?: ContractTerms;
  /** Increases with every change, even across restarts: it continues from the stored version. */
  version: number;
  takenTs: number;
  /** Listed events that are open or ended less than a day ago, ordered by end, then id. */
  events: readonly EventState[];
  /** Latest quote per order-book token. */
  quotes: Readonly<Record<string, Quote>>;
  feeds: readonly FeedStatus[];
  activity: AccountActivity | null;
  jointFinals: JointFinals | null;
  /** Edge evidence from settled events, and the current advice; absent until first computed. */
  evidence?: EdgeEvidence;
  standing?: StandingAdviceByEvent;
  /** Which kinds of post the oracle counted in settled windows; absent until first learned. */
  countedKinds?: KindLesson;
  /** Newest first, at most RECENT_POST_LIMIT. */
  recentPosts: readonly CapturedPost[];
  totalPosts: number;
  captureDelay: CaptureDelay;
  /** Set while the backfill is incomplete: counts of earlier windows are too low. */
  isPastMissing?: boolean;
  /** In order of preference. */
  postSources?: readonly PostSourceStatus[];
  /** Problems for the operator, by subject. */
  notices?: Readonly<Record<string, string>>;
  /** Remarks that degrade nothing, by subject. */
  remarks?: Readonly<Record<string, string>>;
}

/** Everything the metadata endpoint for crypto markets shows. */
export interface CryptoSnapshot {
  version: number;
  takenTs: number;
  markets: readonly CryptoMarket[];
  feed: FeedStatus;
  /** Parts that could not be read; absent or null if everything was readable. */
  oddity?: string | null;
}

/** The maximum page size, so that a first page never queries the store. */
export const RECENT_POST_LIMIT = 100;

export function createEmptySnapshot(
  accountId: AccountId,
  takenTs: number,
  feeds: readonly FeedStatus[],
): AccountSnapshot {
  return {
    accountId,
    version: 0,
    takenTs,
    events: [],
    quotes: {},
    feeds,
    activity: null,
    jointFinals: null,
    recentPosts: [],
    totalPosts: 0,
    captureDelay: { medianMs: null, p90Ms: null, p99Ms: null, sampleSize: 0 },
  };
}

// Changes to an account's state. External observations (posts, deletions, events, counts, quotes,
// settlements) are durable before they are applied; feed status and forecasts are recomputed after a restart
// and exist only in the saved snapshot.

export interface CountReading {
  eventId: number;
  count: number;
}

/** By event id: the advice on its buckets; null if there is no longer any. */
export type StandingChanges = Readonly<Record<string, Readonly<Record<string, StandingAdvice>> | null>>;

export type Observation =
  /** A second has passed, after which a feed may be stale. */
  | { kind: 'clock' }
  /** Only new posts. */
  | { kind: 'posts-captured'; posts: readonly CapturedPost[]; captureDelay: CaptureDelay }
  /** Counts read again from the store, which may have more posts than the snapshot. */
  | {
      kind: 'posts-recounted';
      totalPosts: number;
      recentPosts: readonly CapturedPost[];
      realCounts: Readonly<Record<number, number>>;
      doubts: Readonly<Record<number, CountDoubt>>;
      deletions?: number | null;
    }
  | { kind: 'posts-deleted'; deletions: readonly PostDeletion[]; isTextBlanked: boolean }
  /**
   * Events that are new or differ from before, and our own counts where they were read again. `deletions` may lower
   * a count: how many were recorded since the counts were last read, null if nobody knows.
   */
  | {
      kind: 'events-listed';
      events: readonly MarketEvent[];
      realCounts: Readonly<Record<number, number>>;
      doubts?: Readonly<Record<number, CountDoubt>>;
      deletions?: number | null;
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
  | { kind: 'remark-set'; about: string; text: string | null }
  /** Whether history from before the first start is still missing. */
  | { kind: 'past-set'; isMissing: boolean }
  | { kind: 'event-settled'; eventId: number; settlement: SettledCount }
  | {
      kind: 'forecasts-published';
      forecasts: readonly PublishedForecast[];
      activity: AccountActivity;
      /** Absent if the last ones stand. */
      jointFinals?: JointFinals | null;
      /** Absent until settled windows have been read. */
      countedKinds?: KindLesson;
    }
  /** The evidence is absent if it is as before. */
  | { kind: 'advice-published'; standing: StandingChanges; evidence?: EdgeEvidence };
