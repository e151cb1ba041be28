// Decides on a bucket before the bankroll is known: buy Yes, buy No, exit if held, or do nothing and say why.
// Facts and structure take precedence over the model. To buy, the probability bound must exceed the cost;
// a positive expectation is not enough.

import type { OutcomeSide } from '../../domain/position.ts';
import type { EdgeEvidence } from '../../domain/standing-advice.ts';
import { type ExecutablePrice, findNoBuy, findNoSell, findYesBuy, findYesSell } from '../cost.ts';
import { roundExact } from '../decimal.ts';
import type { StructureEdge, StructureLeg } from '../edges/structure.ts';
import { computeKellyFraction, computeShrinkage } from '../sizing/kelly.ts';
import type { BucketEdge, PricedBucket, SizingRules, Verdict } from '../types.ts';
import { boundOf, findActAt, isProven } from './bounds.ts';
import { explainNothing } from './explain-nothing.ts';
import { describeBlend, describeBuy, describeSell, describeSizing } from './reasons.ts';

export interface BucketSizing {
  edge: BucketEdge;
  /** Full Kelly fractions for buying Yes and for buying No. */
  yesFraction: number;
  noFraction: number;
  lambda: number;
  note: string | null;
  structure: { set: StructureEdge; leg: StructureLeg } | null;
}

export interface DecisionContext {
  evidence: EdgeEvidence;
  rules: Pick<SizingRules, 'allowsSell'>;
  blindness: string | null;
}

export interface Decision
  extends Pick<
    Verdict,
    'kind' | 'edgeKind' | 'kellyFraction' | 'isSkipped' | 'abstainReason' | 'actAt' | 'reasons'
  > {
  /** Price of the traded side; null if no trade is advised. */
  price: ExecutablePrice | null;
  /** The set to buy as a whole; null for a single bucket. */
  set: StructureEdge | null;
  /** Decision if the bankroll is too small for the set; null without a set. */
  otherwise: Decision | null;
}

export const NO_TRADE: Decision = {
  kind: 'nothing',
  edgeKind: null,
  price: null,
  kellyFraction: 0,
  set: null,
  otherwise: null,
  isSkipped: false,
  abstainReason: null,
  actAt: null,
  reasons: [],
};

interface BucketDecisions {
  whole: Decision;
  /** Decision on the Yes share alone, which is all the contract's fields describe. */
  yes: Decision;
}

export function decideBucket(
  bucket: PricedBucket,
  sizing: BucketSizing,
  context: DecisionContext,
): BucketDecisions {
  const obstacle = findObstacle(bucket, context);
  if (obstacle !== null) {
    const none = abstain(bucket, null, obstacle);
    return { whole: none, yes: none };
  }
  const yes = decideYes(bucket, sizing, context);
  const alone = yes.kind === 'buy-yes' ? yes : (buyNo(bucket, sizing) ?? yes);
  const { structure } = sizing;
  if (!structure || alone.edgeKind === 'fact') return { whole: alone, yes };
  return { whole: { ...buySet(structure.set, structure.leg), otherwise: alone }, yes };
}

function decideYes(bucket: PricedBucket, sizing: BucketSizing, context: DecisionContext): Decision {
  const { edge } = sizing;
  const buy = findYesBuy(bucket);
  if (buy.isExecutable && isProven(edge, bucket, 'Yes', buy.price.netPrice)) {
    return purchase(bucket, 'buy-yes', buy.price, sizing);
  }
  return exitIfHeld(bucket, edge, context) ?? doNothing(bucket, edge, context);
}

function findObstacle(bucket: PricedBucket, { blindness }: DecisionContext): string | null {
  if (blindness !== null) return blindness;
  return bucket.marketPrice === null ? 'the market has no price for this bucket' : null;
}

function buyNo(bucket: PricedBucket, sizing: BucketSizing): Decision | null {
  const buy = findNoBuy(bucket);
  const isWorthIt = buy.isExecutable && isProven(sizing.edge, bucket, 'No', buy.price.netPrice);
  return isWorthIt ? purchase(bucket, 'buy-no', buy.price, sizing) : null;
}

function purchase(
  bucket: PricedBucket,
  kind: 'buy-yes' | 'buy-no',
  price: ExecutablePrice,
  { edge, yesFraction, noFraction, lambda, note }: BucketSizing,
): Decision {
  const isYes = kind === 'buy-yes';
  const winProbability = isYes ? edge.worth : 1 - edge.worth;
  const modelProbability = isYes ? bucket.modelProbability : 1 - bucket.modelProbability;
  const bound = boundOf(edge, bucket, isYes ? 'Yes' : 'No');
  // A fact shares no risk with other events, and a rule was judged one share at a time: sized separately.
  const joint = isYes ? yesFraction : noFraction;
  const isAlone = edge.kind === 'fact' || edge.rule !== undefined;
  const fullFraction = isAlone ? computeKellyFraction(bound, price.netPrice) : joint;
  const kelly = Math.min(lambda, edge.kellyCap ?? 1);
  const shrinkage = computeShrinkage(winProbability, price.netPrice, edge.sd);
  const share = holdGrowthAboveZero(kelly * shrinkage * fullFraction, bound, price.netPrice);
  return {
    ...NO_TRADE,
    kind,
    edgeKind: edge.kind,
    price,
    kellyFraction: roundExact(share),
    reasons: [
      describeBuy(modelProbability, price, isYes ? 'Yes' : 'No'),
      edge.fact ?? edge.rule ?? describeBlend(modelProbability, winProbability),
      describeSizing(kelly, shrinkage, fullFraction),
      ...(note ? [note] : []),
    ],
  };
}

/** Caps the stake at the bound's Kelly fraction; log growth stays positive up to about twice that. */
function holdGrowthAboveZero(fraction: number, bound: number, cost: number): number {
  return Math.max(0, Math.min(fraction, (bound - cost) / (1 - cost)));
}

function buySet(set: StructureEdge, leg: StructureLeg): Decision {
  return {
    ...NO_TRADE,
    kind: leg.side === 'Yes' ? 'buy-yes' : 'buy-no',
    edgeKind: 'structure',
    price: leg.price,
    set,
    reasons: [set.reason, `buy all ${set.legs.length} legs of the set or none`],
  };
}

/** Advises a sale only if the proceeds exceed even the upper bound of the value. */
export function findExit(bucket: PricedBucket, edge: BucketEdge, side: OutcomeSide): ExecutablePrice | null {
  const sell = side === 'Yes' ? findYesSell(bucket) : findNoSell(bucket);
  if (!sell.isExecutable || edge.halt !== null) return null;
  const other = side === 'Yes' ? 'No' : 'Yes';
  return 1 - boundOf(edge, bucket, other) < sell.price.netPrice ? sell.price : null;
}

function exitIfHeld(bucket: PricedBucket, edge: BucketEdge, context: DecisionContext): Decision | null {
  const sale = findExit(bucket, edge, 'Yes');
  if (!sale) return null;
  const reasons = [
    describeSell(bucket.modelProbability, sale),
    edge.fact ?? describeBlend(bucket.modelProbability, edge.worth),
  ];
  if (!context.rules.allowsSell) {
    return abstain(bucket, edge, 'overpriced, but sell signals are off for this account', reasons);
  }
  return {
    ...NO_TRADE,
    kind: 'exit',
    edgeKind: edge.kind,
    price: sale,
    reasons: [...reasons, 'selling yields more than the upper bound of its value; sell if you hold it'],
  };
}

function doNothing(bucket: PricedBucket, edge: BucketEdge, { evidence }: DecisionContext): Decision {
  const buy = findYesBuy(bucket);
  if (!buy.isExecutable) return abstain(bucket, null, buy.problem);
  // The explanation of a fact includes the fact.
  const blend = edge.fact === null ? [describeBlend(bucket.modelProbability, edge.worth)] : [];
  return abstain(bucket, edge, explainNothing(bucket, edge, evidence, buy.price.netPrice), blend, false);
}

function abstain(
  bucket: PricedBucket,
  edge: BucketEdge | null,
  reason: string,
  reasons: readonly string[] = [],
  isSkipped = true,
): Decision {
  return {
    ...NO_TRADE,
    isSkipped,
    abstainReason: reason,
    actAt: edge && findActAt(bucket, boundOf(edge, bucket, 'Yes'), boundOf(edge, bucket, 'No')),
    reasons: [...reasons, reason],
  };
}
