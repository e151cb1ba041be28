// What is known about each bucket before its price is considered: the blended probability, its uncertainty,
// and whether it comes from a fact or from the model. The bounds correct for selection bias: the best of many
// candidates looks better than it is.

import type { EdgeEvidence } from '../../domain/edge-evidence.ts';
import { normalQuantile } from '../../forecast/numeric/special-functions.ts';
import { findNoBuy, findYesBuy } from '../cost.ts';
import { scaleProbabilitySd } from '../sizing/shrinkage.ts';
import type { BucketEdge, PricedEvent } from '../types.ts';
import { blendLadder } from './blend.ts';
import { findFacts } from './facts.ts';

/** One-sided confidence with which a bound holds even for a ladder's best candidate. */
const BOUND_LEVEL = 0.9;
const SECONDS_PER_HOUR = 3_600;

export function findBucketEdges(event: PricedEvent, evidence: EdgeEvidence): BucketEdge[] {
  const model = event.buckets.map((bucket) => bucket.modelProbability);
  // A closed bucket is decided, so its last price says nothing about the others.
  const prices = event.buckets.map(({ isOpen, marketPrice }) =>
    isOpen ? marketPrice : Math.round(marketPrice ?? 0),
  );
  const { probabilities, sds } = blendLadder(
    evidence,
    model,
    prices,
    event.secondsRemaining / SECONDS_PER_HOUR,
  );
  const reach = selectionReach(countCandidates(event, probabilities));
  const facts = findFacts(event);
  return event.buckets.map((_, i) => {
    const fact = facts[i];
    if (fact) {
      // Past posts are certain (`probability` includes the doubt); a fact about the last hour is only as
      // certain as the forecast.
      const sd = fact.probability > 0.5 ? scaleProbabilitySd(event.modelSd, fact.probability) : 0;
      const edge = bound(fact.probability, sd, reach);
      return { kind: 'fact', ...edge, ...takeSide(edge), fact: fact.reason, halt: null };
    }
    const sd = Math.hypot(sds[i]!, passOnModelSd(event, evidence, model[i]!, probabilities[i]!));
    return { kind: 'model', ...bound(probabilities[i]!, sd, reach), fact: null, halt: evidence.halt };
  });
}

/** A fact supports one side only; doubt about it is not a reason to buy the other side. */
function takeSide({ blended, lower, upper }: { blended: number; lower: number; upper: number }) {
  return blended > 0.5 ? { lower, upper: 1 } : { lower: 0, upper };
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

function bound(blended: number, sd: number, reach: number) {
  return {
    blended,
    sd,
    lower: Math.max(0, blended - reach * sd),
    upper: Math.min(1, blended + reach * sd),
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
