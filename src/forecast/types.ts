// Inputs and outputs of the forecaster. Every published number derives from one final-count distribution.

import type { CountWindow } from '../domain/market-event.ts';

/** Probability mass of the final count on the integers `from`, `from` + 1, ...; sums to 1. */
export interface CountDistribution {
  from: number;
  pmf: Float64Array;
}

/** Post times of one account, ascending, including replies. */
export interface PostHistory {
  createdTs: Float64Array;
  /** 1 if the post counts toward settlement. */
  isCounted: Uint8Array;
}

/** The oracle's count, for the settlement layer; absent in a backtest without oracle data. */
export interface OracleState {
  /** null until the oracle has reported a count for this event. */
  count: number | null;
  /** Captured posts in the window that were deleted and that the oracle may have missed. */
  deletedSinceLastCatchUp: number;
  /** How many of these the oracle had time to import but did not; none if absent. */
  deletedMissed?: number;
  /** Posts of kinds that the oracle sometimes counts otherwise; absent if there are none. */
  contested?: ContestedPosts;
  /** The oracle reports that its last sync failed, so it may lose posts that it lacks now. */
  isSyncFailing?: boolean;
  /** When the count was last confirmed; needed only while our own posts are stale. */
  asofTs?: number;
}

/** Posts of kinds that the oracle has counted otherwise than our rule, with its learned probabilities. */
export interface ContestedPosts {
  /** Counted by us and not shown by the oracle: too recent for it, or with time enough. */
  waiting: number;
  missed: number;
  /** Probability that it does not count one that it has not seen yet. */
  rejected: number;
  /** Not counted by us and perhaps by the oracle, and the probability that it counts one. */
  uncounted: number;
  accepted: number;
  /** Share of the coming posts counted by us that it will count. */
  comingKept: number;
}

/** For a rule that excludes deleted posts: the effect of deletions until settlement. */
export interface Thinning {
  /** Probability that a future post will count in the end. */
  comingKept: number;
  /** Existing posts in the window by age group, with the survival probability of each group. */
  standing: readonly { posts: number; kept: number }[];
}

export interface ForecastRequest {
  window: CountWindow;
  asofTs: number;
  /** Counted posts in the window up to asofTs (created_ts <= asofTs). */
  countSoFar: number;
  oracle?: OracleState | undefined;
  /** Set if the contract's rule excludes deleted posts. */
  thinning?: Thinning;
  /** Set while posts are stale: the time up to which posts are known. Time since then is unobserved. */
  seenUntilTs?: number;
  /** Multiplies the rate of future posts; 1 by default. */
  paceFactor?: number;
  /** Standard deviation of the log of paceFactor if the current pace was not observed. */
  paceSpread?: number;
}

/** The model's forecast of one event at one time. */
export interface EventForecast {
  asofTs: number;
  countSoFar: number;
  distribution: CountDistribution;
  p5: number;
  p50: number;
  p95: number;
  /** Standard deviation of a bucket probability near one half, from disagreement between pool members. */
  modelSd: number;
}

/** Percentiles of the running count until the end: arrays of equal length, ascending in time. */
export interface CountPath {
  /** From the forecast time to the end of the window, both included. */
  ts: number[];
  p5: number[];
  p50: number[];
  p95: number[];
}

/** The model's view of an account at one time, independent of any event. */
export interface AccountActivity {
  asofTs: number;
  sleepProbability: number;
  velocityCounted1h: number;
  velocityAll1h: number;
}

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
