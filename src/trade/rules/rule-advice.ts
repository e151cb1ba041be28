// Advice from rules that passed their trial. The bound is the cost plus the trial's lower bound of the profit per
// share, so a purchase by such a rule is proven by its trial, not by the blend.

import type { PassedRule } from '../../domain/standing-advice.ts';
import type { BucketEdge, PricedEvent } from '../types.ts';
import { RULES_UNDER_TEST } from './all-rules.ts';
import { hashRule, type RuleBet, slotAt, toMoment } from './rule.ts';

const BY_HASH = new Map(RULES_UNDER_TEST.map((rule) => [hashRule(rule), rule]));

/** A rule advises at the times at which it was tested. Facts advise on their own, so they are left alone. */
export function applyPassedRules(
  event: PricedEvent,
  edges: readonly BucketEdge[],
  passed: readonly PassedRule[] = [],
): BucketEdge[] {
  if (passed.length === 0 || event.blindness) return [...edges];
  const ts = event.endTs - event.secondsRemaining * 1_000;
  const bets = new Map<string, { bet: RuleBet; by: PassedRule }>();
  for (const by of passed) {
    const rule = BY_HASH.get(by.hash);
    if (!rule || slotAt(rule, ts) === null) continue;
    for (const bet of rule.findBets(toMoment(event, ts))) bets.set(bet.bucketLabel, { bet, by });
  }
  return edges.map((edge, i) => {
    const found = bets.get(event.buckets[i]!.label);
    return found && edge.kind === 'model' ? adopt(edge, found.bet, found.by) : edge;
  });
}

function adopt(edge: BucketEdge, bet: RuleBet, { name, events, gainLow }: PassedRule): BucketEdge {
  const low = Math.min(1, bet.price + bet.spreadCost + gainLow);
  const probability = Math.max(bet.said, low);
  const rule = `rule ${name} passed its trial on ${events} events`;
  // The trial's interval already contains the uncertainty.
  const shared = { ...edge, sd: 0, rule };
  return bet.side === 'No'
    ? { ...shared, worth: 1 - probability, lower: 0, upper: 1 - low }
    : { ...shared, worth: probability, lower: low, upper: 1 };
}
