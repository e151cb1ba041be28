// Requests to the forecaster and its responses: plain data that can be passed between threads.

import type { DisputedKinds } from '../../domain/counted-kinds.ts';
import type { BucketRange, CountWindow } from '../../domain/market-event.ts';
import type { AccountActivity, CountPath, OracleState, Thinning } from '../../forecast/types.ts';

/** Contract-specific inputs to a forecast. */
export interface ContractInputs {
  /** Set if the contract's rule excludes posts that the account's own rule counts. */
  thinning?: Thinning;
  /** How often the venue paid a bucket other than the one with the final count. */
  changeRate: number;
  /** Set if the oracle has judged replies to itself otherwise than our rule. */
  disputed?: DisputedKinds & {
    /** Share of our counted posts that are replies in own threads. */
    ownThreadShare: number;
  };
}

export interface EventTask {
  eventId: number;
  window: CountWindow;
  countSoFar: number;
  oracle?: OracleState;
  /** While posts are stale, the time up to which posts are known. */
  seenUntilTs?: number;
  contract?: ContractInputs;
  ranges: readonly BucketRange[];
  wantsBaselines: boolean;
}

/**
 * A distribution as one typed array. A plain array would be copied number by number; for a year of past
 * forecasts the resulting garbage collection blocks request handling for minutes.
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
  /** Probability that the venue pays a bucket other than the one with the final count; absent if unknown. */
  settlementRisk?: number;
  /** The contract inputs used, for what-if requests. */
  contract?: ContractInputs;
  /** The count path; null for past forecasts and ended windows. */
  path: CountPath | null;
  baselines: Record<string, BaselineDistribution> | null;
}

export interface AccountAnswer {
  events: EventAnswer[];
  activity: AccountActivity;
  /** finals[event][path], aligned with the tasks; null for fewer than two events. */
  jointFinals: number[][] | null;
}
