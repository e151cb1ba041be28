// Edges from the count rather than a forecast: a passed bucket, a bucket out of reach, and the last hour when
// our count is ahead of the oracle's but the book has not caught up.

import { errorOf, errorTail, widthAt } from '../../forecast/distribution/settlement-risk.ts';
import { findBucket } from '../sizing/outcome-cells.ts';
import type { PricedEvent } from '../types.ts';

/** Why the count alone decides a bucket; `probability` is for Yes. */
export interface Fact {
  probability: number;
  reason: string;
}

const LAST_HOUR_S = 3_600;
/** Allows for corrections and disputes: no fact about a count is more certain than this. */
const LEAST_DOUBT = 0.005;
/** Below this probability no simulated path reaches the bucket. */
const UNREACHED = 0.0005;

/** Aligned with the event's buckets; null if the count decides nothing. */
export function findFacts(event: PricedEvent): (Fact | null)[] {
  const { realCount, oracleCount, secondsRemaining, buckets } = event;
  const count = Math.max(realCount ?? 0, oracleCount ?? 0);
  if (realCount === null && oracleCount === null) return buckets.map(() => null);
  const isLastHour = secondsRemaining <= LAST_HOUR_S;
  const isAhead = isLastHour && hasMovedBucket(event);
  return buckets.map(({ lo, hi, modelProbability: p }) => {
    if (hi !== null && hi < count) {
      const doubt = Math.max(LEAST_DOUBT, fallBelow(event, count, hi));
      // A larger probability means that the count may still fall: deleted posts that may not count.
      if (p > doubt) return null;
      return { probability: doubt, reason: `the count is ${count}, already above ${hi}` };
    }
    if (isLastHour && lo > count && p <= UNREACHED) {
      const needed = `${lo - count} more posts needed in ${Math.ceil(secondsRemaining / 60)} min`;
      return { probability: LEAST_DOUBT, reason: `out of reach: ${needed}` };
    }
    if (isAhead && p > 0.5 && count >= lo && (hi === null || count <= hi)) {
      return {
        probability: Math.min(1 - LEAST_DOUBT, p),
        reason: `our count is ${realCount}, the oracle still shows ${oracleCount}`,
      };
    }
    return null;
  });
}

/** Probability, at most, that the venue's error takes the final count from an open bucket down to `hi`. */
function fallBelow({ buckets, changeRate = 0 }: PricedEvent, count: number, hi: number): number {
  const { ratio } = errorOf(changeRate, widthAt(buckets, count));
  return buckets
    .filter((bucket) => bucket.hi === null || bucket.hi >= count)
    .reduce((sum, { lo, modelProbability: p }) => sum + p * errorTail(Math.max(lo, count) - hi, ratio), 0);
}

/** Whether posts that the oracle has not shown yet move the count into another bucket. */
function hasMovedBucket({ realCount, oracleCount, buckets }: PricedEvent): boolean {
  if (realCount === null || oracleCount === null || realCount <= oracleCount) return false;
  return findBucket(buckets, realCount) !== findBucket(buckets, oracleCount);
}
