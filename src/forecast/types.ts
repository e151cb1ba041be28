// What the forecaster takes and gives. One distribution of the final count is the source of every published number.

import type { CountWindow } from '../domain/market-event.ts';

/** Probability mass of the final count on the integers from, from + 1, ... ; sums to 1. */
export interface CountDistribution {
  from: number;
  pmf: Float64Array;
}

/** Post times of one account, ascending; all posts, replies included. */
export interface PostHistory {
  createdTs: Float64Array;
  /** 1 where the post counts toward settlement. */
  isCounted: Uint8Array;
}

/** What the oracle shows, for the settlement layer; absent in a backtest without oracle data. */
export interface OracleState {
  /** null while the oracle has never answered for this event. */
  count: number | null;
  /** Captured posts of the window that were deleted and that the oracle may have missed. */
  deletedSinceLastCatchUp: number;
  /** When the count was confirmed last; needed only where our own posts have gone dark. */
  asofTs?: number;
}

/** For a rule that leaves deleted posts out: what deletions do until the contract settles. */
export interface Thinning {
  /** Probability that a post still to come counts in the end. */
  comingKept: number;
  /** Posts of the window that stand now, in groups of one age, and the probability of each to stay. */
  standing: readonly { posts: number; kept: number }[];
}

export interface ForecastRequest {
  window: CountWindow;
  asofTs: number;
  /** Counted posts inside the window up to asofTs (created_ts <= asof). */
  countSoFar: number;
  oracle?: OracleState;
  /** Present where the contract's rule leaves deleted posts out. */
  thinning?: Thinning;
  /** Set while posts are dark: the last instant whose posts are known. Nothing is concluded from the time since. */
  seenUntilTs?: number;
  /** Multiplies the rate of the posts still to come; 1 unless told otherwise. */
  paceFactor?: number;
  /** Standard deviation of the logarithm of that factor, where nobody saw at what pace the account writes now. */
  paceSpread?: number;
}

/** What the model says of one event at one instant. */
export interface EventForecast {
  asofTs: number;
  countSoFar: number;
  distribution: CountDistribution;
  p5: number;
  p50: number;
  p95: number;
  /** Standard deviation of a bucket probability near one half, from disagreement of the pool's members. */
  modelSd: number;
}

/** Percentiles of the running count on the way to the end: arrays of one length, ascending in time. */
export interface CountPath {
  /** From the instant of the forecast to the end of the window, both included. */
  ts: number[];
  p5: number[];
  p50: number[];
  p95: number[];
}

/** What the model says of an account at one instant, whatever the event. */
export interface AccountActivity {
  asofTs: number;
  sleepProbability: number;
  velocityCounted1h: number;
  velocityAll1h: number;
}
