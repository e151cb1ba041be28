// Requests to the forecaster and its answers: plain data that can cross threads.

import type { BucketRange, CountWindow } from '../../domain/market-event.ts';
import type { AccountActivity, CountPath, OracleState, Thinning } from '../../forecast/types.ts';

/** What a contract adds to the forecast of its account. */
export interface ContractInputs {
  /** Present where the contract's rule leaves posts out that the account's own counts. */
  thinning?: Thinning;
  /** How often the venue paid another bucket than that of the final count. */
  changeRate: number;
}

export interface EventTask {
  eventId: number;
  window: CountWindow;
  countSoFar: number;
  oracle?: OracleState;
  /** The last instant with known posts, while posts are stale. */
  seenUntilTs?: number;
  contract?: ContractInputs;
  ranges: readonly BucketRange[];
  wantsBaselines: boolean;
}

/**
 * Numbers of a distribution as one piece of memory. A list of them is made number by number on the other side, and every collection
 * meanwhile looks at all that were made: a year of past forecasts kept the thread that answers requests for minutes.
 */
export type DistributionNumbers = Float64Array;

export interface BaselineDistribution {
  p50: number;
  distributionFrom: number;
  distribution: DistributionNumbers;
}

export interface EventAnswer {
  eventId: number;
  asofTs: number;
  countSoFar: number;
  p5: number;
  p50: number;
  p95: number;
  distributionFrom: number;
  distribution: DistributionNumbers;
  bucketProbabilities: number[];
  modelSd: number;
  /** Probability that another bucket is paid than that of the final count; absent where nothing is known of it. */
  settlementRisk?: number;
  /** What of the contract went into it, for questions about imagined futures. */
  contract?: ContractInputs;
  /** The way to the end; null for a forecast of the past and for a window that has ended. */
  path: CountPath | null;
  baselines: Record<string, BaselineDistribution> | null;
}

export interface AccountAnswer {
  events: EventAnswer[];
  activity: AccountActivity;
  /** finals[event][path], aligned with the tasks; null for fewer than two events. */
  jointFinals: number[][] | null;
}
