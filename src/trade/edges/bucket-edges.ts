// What is known about each bucket before its price is considered: the blended probability, its uncertainty,
// and whether it comes from a fact or from the model. The bounds correct for selection bias: the best of many
// candidates looks better than it is.

import type { EdgeEvidence } from '../../domain/standing-advice.ts';
import { errorOf, errorTail, widthAt } from '../../forecast/distribution/settlement-risk.ts';
import { normalQuantile } from '../../forecast/numeric/special-functions.ts';
import { findNoBuy, findYesBuy } from '../cost.ts';
import { scaleProbabilitySd } from '../sizing/kelly.ts';
import { findBucket } from '../sizing/outcome-cells.ts';
import type { BucketEdge, PricedEvent } from '../types.ts';
import { type Blend, blendLadder } from './blend.ts';

/** One-sided confidence with which a bound holds even for a ladder's best candidate. */
const BOUND_LEVEL = 0.9;
const SECONDS_PER_HOUR = 3_600;

export function findBucketEdges(event: PricedEvent, evidence: EdgeEvidence): BucketEdge[] {
  const model = event.buckets.map((bucket) => bucket.modelProbability);
  // A closed bucket is decided, so its last price says nothing about the others.
  const prices = event.buckets.map(({ isOpen, marketPrice }) =>
    isOpen ? marketPrice : Math.round(marketPrice ?? 0),
  );
  const facts = findFacts(event);
  const leadHours = event.secondsRemaining / SECONDS_PER_HOUR;
  const { probabilities, sds } = pinFacts(blendLadder(evidence, model, prices, leadHours), model, facts);
  const reach = selectionReach(countCandidates(event, probabilities));
  return event.buckets.map((_, i) => {
    const fact = facts[i];
    const blended = probabilities[i]!;
    if (fact) {
      // Past posts are certain (`probability` includes the doubt); a fact about the last hour is only as
      // certain as the forecast.
      const sd = fact.probability > 0.5 ? scaleProbabilitySd(event.modelSd, fact.probability) : 0;
      const edge = bound(fact.probability, sd, reach);
      return { kind: 'fact', blended, ...edge, ...takeSide(edge), fact: fact.reason, halt: null };
    }
    const sd = Math.hypot(sds[i]!, passOnModelSd(event, evidence, model[i]!, blended));
    return { kind: 'model', blended, ...bound(blended, sd, reach), fact: null, halt: evidence.halt };
  });
}

/** A decided bucket gets the count's probability, not a late market's; the others share what is left. */
function pinFacts(blend: Blend, model: readonly number[], facts: readonly (Fact | null)[]): Blend {
  const sumOf = (pick: (i: number) => number) => model.reduce((sum, _, i) => sum + pick(i), 0);
  const pinned = sumOf((i) => (facts[i] ? model[i]! : 0));
  const open = sumOf((i) => (facts[i] ? 0 : blend.probabilities[i]!));
  const pinnedScale = open > 0 || pinned <= 0 ? 1 : 1 / pinned;
  const openScale = open > 0 ? Math.max(0, 1 - pinned) / open : 0;
  const scale = (values: readonly number[]) => values.map((value) => value * openScale);
  return {
    probabilities: scale(blend.probabilities).map((q, i) => (facts[i] ? model[i]! * pinnedScale : q)),
    sds: scale(blend.sds),
  };
}

/** A fact supports one side only; doubt about it is not a reason to buy the other side. */
function takeSide({ worth, lower, upper }: { worth: number; lower: number; upper: number }) {
  return worth > 0.5 ? { lower, upper: 1 } : { lower: 0, upper };
}

/** The model's own uncertainty, scaled by the weight given to its gap from the market. */
function passOnModelSd(
  { modelSd }: PricedEvent,
  evidence: EdgeEvidence,
  model: number,
  blended: number,
): number {
  const weight = evidence.mean[model >= blended ? 0 : 1]!;
  return Math.abs(weight) * scaleProbabilitySd(modelSd, blended);
}

function bound(worth: number, sd: number, reach: number) {
  return {
    worth,
    sd,
    lower: Math.max(0, worth - reach * sd),
    upper: Math.min(1, worth + reach * sd),
  };
}

/** How many standard deviations bound the largest of this many errors. */
function selectionReach(candidates: number): number {
  return normalQuantile(BOUND_LEVEL ** (1 / Math.max(1, candidates)));
}

/** Number of purchases that look profitable before bounds are applied. */
function countCandidates(event: PricedEvent, probabilities: readonly number[]): number {
  return event.buckets.reduce((count, bucket, i) => {
    const yes = findYesBuy(bucket);
    const no = findNoBuy(bucket);
    const isYes = yes.isExecutable && probabilities[i]! > yes.price.netPrice;
    const isNo = no.isExecutable && 1 - probabilities[i]! > no.price.netPrice;
    return count + (isYes ? 1 : 0) + (isNo ? 1 : 0);
  }, 0);
}

// Edges from the count rather than a forecast: a passed bucket, a bucket out of reach, and the last hour when
// our count is ahead of the oracle's but the book has not caught up.

/** Why the count alone decides a bucket; `probability` is for Yes. */
export interface Fact {
  probability: number;
  reason: string;
}

const LAST_HOUR_S = 3_600;
/** Allows for corrections and disputes: no fact about a count is more certain than this. */
const MIN_DOUBT = 0.005;
/** By how much a passed bucket's probability may exceed the venue's error: every bucket has a little. */
const PASSED_SLACK = 0.001;
/** The same for each post that the oracle has not shown yet, because it may reject it. */
const SLACK_PER_PENDING_POST = 0.01;
/** However far the oracle is behind, a larger chance that the count falls back is a forecast, not a fact. */
const MAX_PENDING_SLACK = 0.05;
/** Below this probability no simulated path reaches the bucket. */
const UNREACHED = 0.0005;

/** Aligned with the event's buckets; null if the count decides nothing. */
export function findFacts(event: PricedEvent): (Fact | null)[] {
  const { realCount, oracleCount, secondsRemaining, buckets } = event;
  const count = Math.max(realCount ?? 0, oracleCount ?? 0);
  if (realCount === null && oracleCount === null) return buckets.map(() => null);
  const isLastHour = secondsRemaining <= LAST_HOUR_S;
  const isAhead = isLastHour && hasMovedBucket(event);
  const pending = count - (oracleCount ?? count);
  const slack = PASSED_SLACK + Math.min(MAX_PENDING_SLACK, SLACK_PER_PENDING_POST * pending);
  return buckets.map(({ lo, hi, modelProbability: p }) => {
    if (hi !== null && hi < count) {
      const doubt = Math.max(MIN_DOUBT, fallBelow(event, count, hi));
      // A larger probability means that the count may still fall: deleted posts that may not count.
      if (p > doubt + slack) return null;
      return { probability: Math.max(doubt, p), reason: `the count is ${count}, already above ${hi}` };
    }
    if (isLastHour && lo > count && p <= UNREACHED) {
      const needed = `${lo - count} more posts needed in ${Math.ceil(secondsRemaining / 60)} min`;
      return { probability: MIN_DOUBT, reason: `out of reach: ${needed}` };
    }
    if (isAhead && p > 0.5 && count >= lo && (hi === null || count <= hi)) {
      return {
        probability: Math.min(1 - MIN_DOUBT, p),
        reason: `our count is ${realCount}, the oracle still shows ${oracleCount}`,
      };
    }
    return null;
  });
}

/** Probability, at most, that the venue's error takes the final count from an open bucket down to `hi`. */
function fallBelow({ buckets, changeRate = 0 }: PricedEvent, count: number, hi: number): number {
  const { ratio } = errorOf(changeRate, widthAt(buckets, count));
  const open = buckets.filter((bucket) => bucket.hi === null || bucket.hi >= count);
  const openProbability = open.reduce((sum, { modelProbability: p }) => sum + p, 0);
  if (openProbability <= 0) return 0;
  const tailOf = (lo: number) => errorTail(Math.max(lo, count) - hi, ratio);
  return open.reduce((sum, { lo, modelProbability: p }) => sum + (p / openProbability) * tailOf(lo), 0);
}

/** Whether posts that the oracle has not shown yet move the count into another bucket. */
function hasMovedBucket({ realCount, oracleCount, buckets }: PricedEvent): boolean {
  if (realCount === null || oracleCount === null || realCount <= oracleCount) return false;
  return findBucket(buckets, realCount) !== findBucket(buckets, oracleCount);
}
