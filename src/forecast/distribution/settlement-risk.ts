// Settlement risk: a venue may pay a bucket other than the one with the final count. How often is learned per
// account and venue, and widens bucket probabilities near the edges.

import type { BucketRange } from '../../domain/market-event.ts';
import type { CountDistribution, OracleState } from '../types.ts';
import { bucketProbabilities, convolveDistributions, trimDistribution } from './distribution.ts';

/** One settled contract: whether the venue paid the bucket we counted. */
export interface SettledOutcome {
  isSameBucket: boolean;
}

/** Published rates at which another bucket was paid: 18 of 63 events for Truth Social, about 3% elsewhere. */
const PRIOR_CHANGE: Readonly<Record<string, number>> = { TRUTH_SOCIAL: 0.29 };
const PRIOR_CHANGE_ELSEWHERE = 0.03;
/** Weight of the prior in events; a venue's own record outweighs it within a season. */
const PRIOR_EVENTS = 20;

/** `oracle` is the platform name as the oracle spells it; null for a venue that settles on another source. */
export function learnChangeRate(oracle: string | null, outcomes: readonly SettledOutcome[]): number {
  const prior = (oracle === null ? undefined : PRIOR_CHANGE[oracle]) ?? PRIOR_CHANGE_ELSEWHERE;
  const changed = outcomes.filter(({ isSameBucket }) => !isSameBucket).length;
  return (prior * PRIOR_EVENTS + changed) / (PRIOR_EVENTS + outcomes.length);
}

export interface SettlementError {
  /** Ratio of the two-sided geometric distribution of (settled - counted). */
  ratio: number;
  reach: number;
}

const NEGLIGIBLE = 1e-9;

/** The error that moves counts out of a bucket of this width at the learned rate, averaged over positions. */
export function errorOf(changeRate: number, bucketWidth: number): SettlementError {
  const mean = Math.min(0.5, changeRate) * bucketWidth;
  const ratio = mean > 0 ? (Math.sqrt(1 + mean * mean) - 1) / mean : 0;
  return { ratio, reach: ratio > 0 ? Math.ceil(Math.log(NEGLIGIBLE) / Math.log(ratio)) : 0 };
}

/** Distribution of the settled count, which is never below zero. */
export function addSettlementError(
  { from, pmf }: CountDistribution,
  { ratio, reach }: SettlementError,
): CountDistribution {
  if (reach === 0) return { from, pmf };
  const widened = new Float64Array(pmf.length + 2 * reach);
  const still = (1 - ratio) / (1 + ratio);
  for (let d = -reach; d <= reach; d++) {
    const weight = still * ratio ** Math.abs(d);
    for (let i = 0; i < pmf.length; i++) {
      const paid = Math.max(0, from + i + d);
      widened[Math.max(0, paid - from + reach)]! += weight * pmf[i]!;
    }
  }
  return trimDistribution(from - reach, widened);
}

/**
 * Probability that the venue pays a bucket other than the one with the final count. `settledFloor` is what the
 * oracle itself has counted already: an error cannot take the result below it.
 */
export function settlementRisk(
  { from, pmf }: CountDistribution,
  ranges: readonly BucketRange[],
  { ratio }: SettlementError,
  settledFloor = 0,
): number {
  let risk = 0;
  for (let i = 0; i < pmf.length; i++) {
    const range = ranges.find(({ lo, hi }) => from + i >= lo && (hi === null || from + i <= hi));
    if (range) risk += pmf[i]! * leaving(range, from + i, ratio, settledFloor);
  }
  return Math.min(1, risk);
}

/** Probability that the error crosses either edge; the lower edge only if the result can still be below it. */
function leaving({ lo, hi }: BucketRange, count: number, ratio: number, settledFloor: number): number {
  const above = hi === null ? 0 : errorTail(hi - count + 1, ratio);
  return above + (lo <= settledFloor ? 0 : errorTail(count - lo + 1, ratio));
}

/** Which bucket is paid, and the risk that it is not the one with the final count. */
export interface PaidBuckets {
  bucketProbabilities: number[];
  settlementRisk: number;
}

export interface PaidInputs {
  countSoFar: number;
  oracle?: OracleState | undefined;
  /** How often the venue paid another bucket. */
  changeRate: number;
  /** Whether a deletion can bring the count back below a bucket that it had passed. */
  mayFall: boolean;
}

export function describePaidBuckets(
  distribution: CountDistribution,
  ranges: readonly BucketRange[],
  p50: number,
  { countSoFar, oracle, changeRate, mayFall }: PaidInputs,
): PaidBuckets {
  const error = errorOf(changeRate, widthAt(ranges, p50));
  const settledFloor = mayFall ? 0 : (oracle?.count ?? 0);
  // Until the oracle shows our count, its error can still take the result below it.
  const passed = mayFall ? 0 : Math.max(settledFloor, certainCount(countSoFar, oracle) - error.reach);
  return {
    bucketProbabilities: bucketProbabilities(addSettlementError(distribution, error), ranges, passed),
    settlementRisk: settlementRisk(distribution, ranges, error, settledFloor),
  };
}

/** Probability that the error is at least this many posts in one direction. */
export function errorTail(posts: number, ratio: number): number {
  return ratio ** posts / (1 + ratio);
}

/** Width of the bucket with the count; an open bucket is as wide as its neighbour. */
export function widthAt(ranges: readonly BucketRange[], count: number): number {
  const at = ranges.findIndex(({ hi }) => hi === null || count <= hi);
  const closed = ranges[at]?.hi == null ? ranges[at - 1] : ranges[at];
  return closed?.hi == null ? 1 : closed.hi - closed.lo + 1;
}

// From our count to the settled count: the oracle lags, occasionally misses a post, counts posts deleted
// after it saw them, and backfills. Kept separate from the account model.

export interface SettlementRates {
  /** Probability that a captured post that the oracle does not show yet will not count. */
  pendingRejected: number;
  /** Probability that the oracle misses a captured post deleted before it caught up. */
  deletedUnseen: number;
  /** The same once the oracle has had time to import the post; it rarely adds one this late. */
  deletedMissed: number;
  /** Probability that the oracle adds a post we never captured, during the rest of the window. */
  backFill: number;
}

const SETTLEMENT_RATES: SettlementRates = {
  pendingRejected: 0.004,
  deletedUnseen: 0.5,
  deletedMissed: 0.95,
  backFill: 0.005,
};
/** Assumed: an oracle that cannot sync loses one in twenty of the posts that it lacks. */
const PENDING_LOST_UNSYNCED = 0.05;

/** Distribution of the final count as the oracle will settle it; without an oracle, our own. */
export function settleDistribution(
  distribution: CountDistribution,
  countSoFar: number,
  oracle: OracleState | undefined,
): CountDistribution {
  if (!oracle || oracle.count === null) return distribution;
  // If the oracle is ahead, it has seen posts that we missed, and they count.
  const missed = Math.max(0, oracle.count - countSoFar);
  const settled = convolveDistributions(
    { from: distribution.from + missed, pmf: distribution.pmf },
    correctionDistribution(countSoFar, oracle),
  );
  return keepAbove(settled, oracle.count);
}

/** The count that settlement cannot fall below: posts deleted before the oracle showed them may not count. */
export function certainCount(countSoFar: number, oracle: OracleState | undefined): number {
  if (!oracle || oracle.count === null) return countSoFar;
  const { waiting = 0, missed = 0 } = oracle.contested ?? {};
  return Math.max(oracle.count, countSoFar - oracle.deletedSinceLastCatchUp - waiting - missed);
}

/** Distribution of (settled count - our count). */
function correctionDistribution(countSoFar: number, oracle: OracleState): CountDistribution {
  const pending = Math.max(0, countSoFar - (oracle.count ?? countSoFar));
  const deleted = Math.min(oracle.deletedSinceLastCatchUp, pending);
  const missed = Math.min(oracle.deletedMissed ?? 0, deleted);
  const unseen = convolveDistributions(
    negatedBinomial(deleted - missed, SETTLEMENT_RATES.deletedUnseen),
    negatedBinomial(missed, SETTLEMENT_RATES.deletedMissed),
  );
  const lost = oracle.isSyncFailing ? PENDING_LOST_UNSYNCED : SETTLEMENT_RATES.pendingRejected;
  const contested = contestedDistribution(oracle, pending - deleted);
  const rejected = convolveDistributions(
    contested.distribution,
    negatedBinomial(pending - deleted - contested.posts, lost),
  );
  const backFill: CountDistribution = {
    from: 0,
    pmf: new Float64Array([1 - SETTLEMENT_RATES.backFill, SETTLEMENT_RATES.backFill]),
  };
  return convolveDistributions(convolveDistributions(unseen, rejected), backFill);
}

/** The same for posts of contested kinds, at most `pending` of which the oracle does not show. */
function contestedDistribution(
  { contested }: OracleState,
  pending: number,
): { posts: number; distribution: CountDistribution } {
  if (!contested) return { posts: 0, distribution: { from: 0, pmf: new Float64Array([1]) } };
  const missed = Math.min(contested.missed, pending);
  const waiting = Math.min(contested.waiting, pending - missed);
  const { from, pmf } = negatedBinomial(contested.uncounted, 1 - contested.accepted);
  const added = { from: from + contested.uncounted, pmf };
  const lost = convolveDistributions(
    negatedBinomial(missed, SETTLEMENT_RATES.deletedMissed),
    negatedBinomial(waiting, contested.rejected),
  );
  return { posts: missed + waiting, distribution: convolveDistributions(lost, added) };
}

/** Distribution of a negated binomial count. */
function negatedBinomial(n: number, p: number): CountDistribution {
  let pmf = new Float64Array([1]);
  for (let i = 0; i < n; i++) {
    const next = new Float64Array(pmf.length + 1);
    for (let k = 0; k < pmf.length; k++) {
      next[k + 1]! += pmf[k]! * (1 - p);
      next[k]! += pmf[k]! * p;
    }
    pmf = next;
  }
  return { from: -n, pmf };
}

/** The oracle lowers its count only through its own corrections, so no mass stays below it. */
function keepAbove(distribution: CountDistribution, least: number): CountDistribution {
  const cut = Math.max(0, least - distribution.from);
  if (cut === 0) return trimDistribution(distribution.from, distribution.pmf);
  if (cut >= distribution.pmf.length) return { from: least, pmf: new Float64Array([1]) };
  return trimDistribution(distribution.from + cut, distribution.pmf.slice(cut));
}
