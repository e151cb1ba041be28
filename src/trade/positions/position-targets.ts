// How many shares of each held position an optimal-growth bankroll would hold, trading only what is held and only
// where the gain exceeds the spread. The bankroll is everything: cash is what the positions leave of it.

import { withBelief } from '../pricing/belief.ts';
import { findNoBuy, findNoSell, findYesBuy, findYesSell } from '../pricing/cost.ts';
import { poolTowardMarket } from '../pricing/market-pooling.ts';
import type { Holding } from '../sizing/allocation-problem.ts';
import { solveAllocation } from '../sizing/kelly-with-positions.ts';
import { buildOutcomeCells, type OutcomeCells } from '../sizing/outcome-cells.ts';
import type { PricedEvent, SizingRules } from '../types.ts';
import type { MatchedPosition } from './matched-position.ts';

export interface PositionTarget {
  matched: MatchedPosition;
  targetShares: number;
}

interface Scope {
  events: readonly PricedEvent[];
  cells: OutcomeCells;
}

export function computePositionTargets(
  events: readonly PricedEvent[],
  matched: readonly MatchedPosition[],
  bankrollUsd: number,
  rules: SizingRules,
): PositionTarget[] {
  const believed = events.map(withBelief);
  const valueUsd = matched.reduce((sum, m) => sum + m.position.shares * m.currentPrice, 0);
  const joint = buildScope(believed, rules.kellyLambda);
  if (joint) return solveScope(joint, matched, bankrollUsd - valueUsd);
  // Without common paths each event stands alone, with its part of the boldness and the others' value as cash.
  return believed.flatMap((event, e) => {
    const own = matched.filter((m) => m.eventIndex === e).map((m) => ({ ...m, eventIndex: 0 }));
    const ownValueUsd = own.reduce((sum, m) => sum + m.position.shares * m.currentPrice, 0);
    const scope = buildScope([event], rules.kellyLambda / believed.length);
    const targets = scope ? solveScope(scope, own, bankrollUsd - ownValueUsd) : [];
    return targets.map((target) => ({ ...target, matched: { ...target.matched, eventIndex: e } }));
  });
}

function buildScope(events: readonly PricedEvent[], lambda: number): Scope | null {
  if (events.length === 0) return null;
  const cells = buildOutcomeCells(
    events.map((event) => ({
      ranges: event.buckets,
      probabilities: poolEvent(event, lambda),
      finals: event.finals,
    })),
  );
  return cells && { events, cells };
}

function poolEvent(event: PricedEvent, lambda: number): number[] {
  const lower = event.buckets.map((bucket) => {
    const sell = findYesSell(bucket);
    return sell.isExecutable ? sell.price.netPrice : 0;
  });
  const upper = event.buckets.map((bucket) => {
    const buy = findYesBuy(bucket);
    return buy.isExecutable ? buy.price.netPrice : 1;
  });
  return poolTowardMarket(
    event.buckets.map((bucket) => bucket.modelProbability),
    { lower, upper },
    lambda,
  );
}

function solveScope(scope: Scope, matched: readonly MatchedPosition[], cashUsd: number): PositionTarget[] {
  const groups = groupByBucket(matched);
  // Yes and No of one bucket cancel into cash: only the difference is a bet.
  const pairedUsd = groups.reduce((sum, group) => sum + Math.min(group.yes, group.no), 0);
  const holdings = groups.map((group) => createHolding(scope, group));
  const { trades } = solveAllocation({ ...scope.cells, cashUsd: cashUsd + pairedUsd, holdings });
  return groups.flatMap((group, i) => {
    const { buyYes, sellYes, buyNo, sellNo } = trades[i];
    return group.members.map((member) => {
      const change = member.side === 'Yes' ? buyYes - sellYes : buyNo - sellNo;
      return { matched: member, targetShares: Math.max(0, member.position.shares + change) };
    });
  });
}

interface BucketGroup {
  members: MatchedPosition[];
  yes: number;
  no: number;
}

function groupByBucket(matched: readonly MatchedPosition[]): BucketGroup[] {
  const groups = new Map<string, BucketGroup>();
  for (const member of matched) {
    const key = `${member.eventIndex}:${member.bucketIndex}`;
    const group = groups.get(key) ?? { members: [], yes: 0, no: 0 };
    group.members.push(member);
    if (member.side === 'Yes') group.yes += member.position.shares;
    else group.no += member.position.shares;
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** Only the side that is held, net, may be traded: the advice is about positions, not about new bets. */
function createHolding(scope: Scope, { members, yes, no }: BucketGroup): Holding {
  const { bucket, eventIndex, bucketIndex } = members[0];
  const isYes = yes >= no;
  const belief = scope.events[eventIndex].buckets[bucketIndex].modelProbability;
  const p = isYes ? belief : 1 - belief;
  const buy = isYes ? findYesBuy(bucket) : findNoBuy(bucket);
  const sell = isYes ? findYesSell(bucket) : findNoSell(bucket);
  // A hedge that loses on its own is growth-optimal at times, but no advice to follow blindly.
  const isWorthBuying = buy.isExecutable && p > buy.price.netPrice;
  const cost = isWorthBuying ? buy.price.netPrice : null;
  const netBid = sell.isExecutable ? sell.price.netPrice : null;
  return {
    event: eventIndex,
    bucket: bucketIndex,
    yesShares: Math.max(0, yes - no),
    noShares: Math.max(0, no - yes),
    yesCost: isYes ? cost : null,
    yesNetBid: isYes ? netBid : null,
    noCost: isYes ? null : cost,
    noNetBid: isYes ? null : netBid,
  };
}
