// The current state of one account: immutable, and plain JSON so that it can be passed to threads, database
// rows and replicas.

import type { AccountId } from '../domain/account.ts';
import type { ContractTerms } from '../domain/contract.ts';
import type { Counters } from '../domain/counters.ts';
import type { CryptoMarket } from '../domain/crypto-market.ts';
import type { EdgeEvidence } from '../domain/edge-evidence.ts';
import type { FeedStatus, PostSourceStatus } from '../domain/feed.ts';
import type { MarketEvent } from '../domain/market-event.ts';
import type { CapturedPost } from '../domain/post.ts';
import type { Quote } from '../domain/quote.ts';
import type { StandingAdviceByEvent } from '../domain/standing-advice.ts';
import type { AccountActivity, CountPath, Thinning } from '../forecast/types.ts';

/** A published forecast: percentiles and bucket probabilities of a stored distribution. */
export interface PublishedForecast {
  eventId: number;
  asofTs: number;
  countSoFar: number;
  p5: number;
  p50: number;
  p95: number;
  /** Percentiles of the running count over time; absent if not computed. */
  path?: CountPath | null;
  /** In the order of the event's buckets; sums to 1. */
  bucketProbabilities: readonly number[];
  /** Standard deviation of a bucket probability, from the disagreement between pool members. */
  modelSd: number;
  /** Probability that the venue pays a bucket other than the one the final count is in; absent if unknown. */
  settlementRisk?: number;
  /** Contract-specific inputs: effect of deletions, and how often the venue paid a different bucket. */
  contract?: { thinning?: Thinning; changeRate: number };
  modelVersion: string;
  buildCommit: string;
}

/** Final counts of all open events of an account on the same simulated paths: finals[event][path]. */
export interface JointFinals {
  eventIds: readonly number[];
  finals: readonly (readonly number[])[];
}

/** Settlement result once known; late corrections increase the revision. */
export interface SettledCount {
  finalCount: number;
  winningLabel: string | null;
  revision: number;
}

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
  /** Why reference prices are missing; absent or null if available. */
  referenceProblem?: string | null;
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
