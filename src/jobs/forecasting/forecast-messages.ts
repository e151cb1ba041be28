// What is asked of the forecaster and what it answers: plain data, so that it can cross threads.

import type { BucketRange, CountWindow } from '../../domain/market-event.ts';
import type { AccountActivity, CountPath, OracleState } from '../../forecast/types.ts';

export interface EventTask {
  eventId: number;
  window: CountWindow;
  countSoFar: number;
  oracle?: OracleState;
  /** The last instant whose posts are known, while posts are dark. */
  seenUntilTs?: number;
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
