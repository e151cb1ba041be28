// Makes the bankroll-independent decision for every bucket in an account's open events; the expensive step.

import { FIRST_VENUE } from '../../domain/contract.ts';
import type { RuleEvidence, StandingAdvice } from '../../domain/standing-advice.ts';
import { findNoBuy, findYesBuy } from '../cost.ts';
import { findBucketEdges } from '../edges/bucket-edges.ts';
import { PRIOR_EVIDENCE } from '../edges/prior-evidence.ts';
import { findStructureEdges, type StructureEdge } from '../edges/structure.ts';
import { RULES } from '../rules/all-rules.ts';
import { type RuleBet, slotAt, toMoment } from '../rules/rule.ts';
import { type FlatSizing, type SizableEvent, sizeFlatAccount } from '../sizing/flat-sizing.ts';
import type { BucketEdge, PricedEvent, SizingRules } from '../types.ts';
import { isProven } from './bounds.ts';
import { type BucketSizing, decideBucket } from './decision.ts';
import { keepSteady } from './steady.ts';
import type { Decided } from './verdict.ts';

// Advice from rules whose evidence allows it. The bound is the cost plus the lower end of the profit per share, so
// such a purchase is proven by the rule's results, not by the blend.

const BY_NAME = new Map(RULES.map((rule) => [rule.name, rule]));

/** Events published before their outcome that a rule needs for more than a tenth of full Kelly. */
const FORWARD_EVENTS = 40;
const CAUTIOUS_KELLY = 0.1;

/** A rule advises at the times at which it was judged. Facts advise on their own, so they are left alone. */
function applyRules(event: PricedEvent, edges: readonly BucketEdge[]): BucketEdge[] {
  const { venue = FIRST_VENUE, evidence } = event;
  const allowed = (evidence?.rules ?? []).filter((one) => one.mayAdvise && one.venue === venue);
  if (allowed.length === 0 || event.blindness) return [...edges];
  const ts = event.endTs - event.secondsRemaining * 1_000;
  const bets = new Map<string, { bet: RuleBet; by: RuleEvidence }>();
  for (const by of allowed) {
    const rule = BY_NAME.get(by.rule);
    if (!rule || slotAt(rule, ts) === null) continue;
    for (const bet of rule.findBets(toMoment(event, ts))) bets.set(bet.bucketLabel, { bet, by });
  }
  return edges.map((edge, i) => {
    const found = bets.get(event.buckets[i]!.label);
    return found && edge.kind === 'model' ? adopt(edge, found.bet, found.by) : edge;
  });
}

function adopt(edge: BucketEdge, bet: RuleBet, { rule, events, forward, gainLow }: RuleEvidence): BucketEdge {
  const low = Math.min(1, bet.price + bet.spreadCost + (gainLow ?? 0));
  const probability = Math.max(bet.said, low);
  const shared = {
    ...edge,
    // The interval already contains the uncertainty.
    sd: 0,
    rule: `rule ${rule} earned money after costs on ${events} events that it was not chosen on`,
    ...(forward.events < FORWARD_EVENTS && { kellyCap: CAUTIOUS_KELLY }),
  };
  return bet.side === 'No'
    ? { ...shared, worth: 1 - probability, lower: 0, upper: 1 - low }
    : { ...shared, worth: probability, lower: low, upper: 1 };
}

/** Everything that does not depend on the bankroll. */
export interface AccountDecisions {
  events: readonly EventDecisions[];
  lambda: number;
}

export interface EventDecisions {
  event: PricedEvent;
  buckets: readonly BucketDecision[];
}

export interface BucketDecision extends Decided {
  /** The decision on the Yes share alone. */
  yes: Decided;
  standing: StandingAdvice;
}

/** Decides on every bucket; current advice survives small moves. */
export function decideAccount(
  events: readonly PricedEvent[],
  rules: SizingRules,
  nowTs: number,
): AccountDecisions {
  const edges = events.map((event) =>
    applyRules(event, findBucketEdges(event, event.evidence ?? PRIOR_EVIDENCE)),
  );
  const sets = findStructureEdges(events);
  const sizing = sizeFlatAccount(
    events.map((event, e) => toSizable(event, edges[e]!)),
    rules,
  );
  return {
    lambda: sizing.lambda,
    events: events.map((event, e) => ({
      event,
      buckets: event.buckets.map((_, b) => {
        const edge = edges[e]![b]!;
        return decide(event, b, sizeBucket(event, e, b, edge, sets, sizing), rules, nowTs);
      }),
    })),
  };
}

function sizeBucket(
  { eventId, buckets }: PricedEvent,
  e: number,
  b: number,
  edge: BucketEdge,
  sets: readonly StructureEdge[],
  { yesFractions, noFractions, lambda, note }: FlatSizing,
): BucketSizing {
  const { label } = buckets[b]!;
  const found = sets.flatMap((set) => {
    const leg = set.legs.find((candidate) => candidate.eventId === eventId && candidate.label === label);
    return leg ? [{ set, leg }] : [];
  });
  return {
    edge,
    yesFraction: yesFractions[e]?.[b] ?? 0,
    noFraction: noFractions[e]?.[b] ?? 0,
    lambda,
    note,
    structure: found[0] ?? null,
  };
}

function decide(
  event: PricedEvent,
  b: number,
  sizing: BucketSizing,
  rules: SizingRules,
  nowTs: number,
): BucketDecision {
  const bucket = event.buckets[b]!;
  const { edge } = sizing;
  const evidence = event.evidence ?? PRIOR_EVIDENCE;
  const context = { evidence, rules, blindness: event.blindness ?? null };
  const obstacle = event.blindness ?? edge.halt;
  const fresh = decideBucket(bucket, sizing, context);
  const before = event.standing?.[bucket.label];
  const { decision, standing } = keepSteady(before, fresh.whole, bucket, edge, obstacle, nowTs);
  const whole = { bucket, edge, decision, standing };
  const isAboutNo = [decision.kind, decision.otherwise?.kind].includes('buy-no');
  return { ...whole, yes: isAboutNo ? { ...whole, decision: fresh.yes } : whole };
}

/** Stale and untradable events offer no bets, so they do not affect the stakes of other events. */
function toSizable(event: PricedEvent, edges: readonly BucketEdge[]): SizableEvent {
  return {
    finals: event.finals,
    buckets: event.buckets.map((bucket, b) => {
      const edge = edges[b]!;
      const { lo, hi } = bucket;
      const probability = edge.blended;
      if (event.blindness || edge.kind === 'fact' || edge.rule)
        return { lo, hi, probability, yesCost: null, noCost: null };
      const yes = findYesBuy(bucket);
      const no = findNoBuy(bucket);
      const yesCost = yes.isExecutable && isProven(edge, bucket, 'Yes', yes.price.netPrice);
      const noCost = no.isExecutable && isProven(edge, bucket, 'No', no.price.netPrice);
      return {
        lo,
        hi,
        probability,
        yesCost: yesCost ? yes.price.netPrice : null,
        noCost: noCost ? no.price.netPrice : null,
      };
    }),
  };
}
