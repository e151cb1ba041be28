// Settlement risk: a venue may pay a bucket other than the one with the final count. How often is learned per
// account and venue, and widens bucket probabilities near the edges.

import type { BucketRange } from '../../domain/market-event.ts';
import type { CountDistribution } from '../types.ts';
import { trimDistribution } from './distribution.ts';

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

/** Probability that the venue pays a bucket other than the one with the final count. */
export function settlementRisk(
  { from, pmf }: CountDistribution,
  ranges: readonly BucketRange[],
  { ratio }: SettlementError,
): number {
  let risk = 0;
  for (let i = 0; i < pmf.length; i++) {
    const range = ranges.find(({ lo, hi }) => from + i >= lo && (hi === null || from + i <= hi));
    if (range) risk += pmf[i]! * leaving(range, from + i, ratio);
  }
  return Math.min(1, risk);
}

/** Probability that the error crosses either edge; there is no bucket below zero. */
function leaving({ lo, hi }: BucketRange, count: number, ratio: number): number {
  return (
    (hi === null ? 0 : errorTail(hi - count + 1, ratio)) + (lo === 0 ? 0 : errorTail(count - lo + 1, ratio))
  );
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
