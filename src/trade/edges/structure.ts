// Prices that contradict each other for any final count: one share of each bucket costs less than the 1 USD
// that one of them pays, or nested windows disagree. A set is bought whole or not at all.

import { isNarrower } from '../../domain/contract.ts';
import { type ExecutablePrice, findNoBuy, findYesBuy } from '../cost.ts';
import type { PricedBucket, PricedEvent } from '../types.ts';

export interface StructureLeg {
  eventId: number;
  label: string;
  side: 'Yes' | 'No';
  price: ExecutablePrice;
}

export interface StructureEdge {
  legs: readonly StructureLeg[];
  costPerSet: number;
  /** Minimum payout of a set. */
  payoutPerSet: number;
  /** Sets available at these prices; null if unknown. */
  depthSets: number | null;
  reason: string;
}

/** Minimum gain of a set, as a fraction of its cost and per share; one tick would wipe out a smaller gain. */
const MIN_RETURN = 0.01;
const MIN_GAIN_PER_LEG = 0.001;

export function findStructureEdges(events: readonly PricedEvent[]): StructureEdge[] {
  const seen = events.filter((event) => !event.blindness);
  const ladders = seen.flatMap((event) => [buyEveryYes(event) ?? [], buyEveryNo(event) ?? []].flat());
  const offers = seen.map(offerYes);
  const nested = offers.flatMap((outer) => offers.flatMap((inner) => findNested(outer, inner) ?? []));
  return [...ladders, ...nested].filter(
    ({ payoutPerSet, costPerSet, legs }) =>
      payoutPerSet - costPerSet > Math.max(MIN_RETURN * costPerSet, MIN_GAIN_PER_LEG * legs.length),
  );
}

/** One Yes of every bucket that can still win. */
function buyEveryYes(event: PricedEvent): StructureEdge | null {
  const alive = listAlive(event);
  const legs = alive && createLegs(event, alive, 'Yes');
  return legs && describeSet(legs, 1, (cost) => `one Yes of each bucket costs ${cost} and pays 1 USD`);
}

/** One No of every bucket that can still win; all but one of them pay. */
function buyEveryNo(event: PricedEvent): StructureEdge | null {
  const alive = listAlive(event);
  const legs = alive && createLegs(event, alive, 'No');
  if (!legs || legs.length < 2) return null;
  const payout = legs.length - 1;
  return describeSet(legs, payout, (cost) => `one No of each bucket costs ${cost} and pays ${payout} USD`);
}

/** Yes shares of the buckets that can still win; null where one cannot be bought. */
interface YesOffers {
  event: PricedEvent;
  offers: readonly { lo: number; leg: StructureLeg | null }[];
}

function offerYes(event: PricedEvent): YesOffers {
  const alive = aliveOf(event);
  return {
    event,
    offers: alive.map((bucket) => ({ lo: bucket.lo, leg: createLegs(event, [bucket], 'Yes')?.[0] ?? null })),
  };
}

/**
 * Every post in an inner window also adds to the outer count. If the inner final is at least T, the outer
 * final is at least `lead + T`. So one Yes of each inner bucket below T plus one Yes of each outer bucket
 * from `lead + T` up pays at least 1 USD.
 */
function findNested(outer: YesOffers, inner: YesOffers): StructureEdge | null {
  const lead = findLead(outer.event, inner.event);
  if (lead === null) return null;
  let best: { threshold: number; from: number; cost: number } | null = null;
  for (const { lo: threshold } of inner.event.buckets) {
    const from = outer.event.buckets.findLast(({ lo }) => lo <= threshold + lead)?.lo;
    if (from === undefined || threshold === 0) continue;
    const below = addCosts(0, inner, (lo) => lo < threshold);
    const cost = below && addCosts(below, outer, (lo) => lo >= from);
    if (cost !== null && (best === null || cost < best.cost)) best = { threshold, from, cost };
  }
  return best && describeNested(outer, inner, best);
}

/** null if nothing is wanted, or something cannot be bought. */
function addCosts(start: number, { offers }: YesOffers, isWanted: (lo: number) => boolean): number | null {
  let cost = start;
  for (const { lo, leg } of offers) {
    if (!isWanted(lo)) continue;
    if (!leg) return null;
    cost += leg.price.netPrice;
  }
  return cost > start ? cost : null;
}

function describeNested(
  outer: YesOffers,
  inner: YesOffers,
  { threshold, from }: { threshold: number; from: number },
): StructureEdge {
  const pick = ({ offers }: YesOffers, isWanted: (lo: number) => boolean) =>
    offers.flatMap(({ lo, leg }) => (leg && isWanted(lo) ? [leg] : []));
  return describeSet(
    [...pick(inner, (lo) => lo < threshold), ...pick(outer, (lo) => lo >= from)],
    1,
    (cost) =>
      `below ${threshold} in the shorter window or at least ${from} in the longer one: one of them must pay, and both together cost ${cost}`,
  );
}

/** The outer window's count before the inner window began, according to both the oracle and our own count. */
function findLead(outer: PricedEvent, inner: PricedEvent): number | null {
  if (outer === inner || inner.startTs < outer.startTs || inner.endTs > outer.endTs) return null;
  if (outer.oracleCount === null || inner.oracleCount === null) return null;
  if (outer.realCount === null || inner.realCount === null) return null;
  if (!countsWithin(inner, outer)) return null;
  // Posts that may still be deleted do not add to the lead.
  if (losesPosts(outer)) return 0;
  const lead = Math.min(outer.oracleCount - inner.oracleCount, outer.realCount - inner.realCount);
  return lead >= 0 ? lead : null;
}

/** Whether the outer contract counts every post that the inner one does; each contract has its own rule. */
function countsWithin(inner: PricedEvent, outer: PricedEvent): boolean {
  if (!inner.rule || !outer.rule) return inner.rule === outer.rule;
  return isNarrower(inner.rule, outer.rule);
}

function losesPosts({ rule }: PricedEvent): boolean {
  return rule?.deletedPosts === false;
}

/** If deletions can lower the count, no bucket is certain to be passed. */
function leastCount(event: PricedEvent): number {
  return losesPosts(event) ? 0 : Math.min(event.oracleCount ?? 0, event.realCount ?? 0);
}

/** Buckets that the count has not passed; null unless they cover every remaining count. */
function listAlive(event: PricedEvent): PricedBucket[] | null {
  const alive = aliveOf(event);
  const isCovered = alive.every((bucket, i) => {
    const next = alive[i + 1];
    return next ? bucket.hi !== null && next.lo === bucket.hi + 1 : bucket.hi === null;
  });
  const count = leastCount(event);
  return alive.length > 1 && isCovered && alive[0]!.lo <= count ? alive : null;
}

/** Uses the lower of the oracle's count and ours. */
function aliveOf(event: PricedEvent): PricedBucket[] {
  const count = leastCount(event);
  return event.buckets.filter((bucket) => bucket.hi === null || bucket.hi >= count);
}

function createLegs(
  { eventId }: PricedEvent,
  buckets: readonly PricedBucket[],
  side: StructureLeg['side'],
): StructureLeg[] | null {
  const legs: StructureLeg[] = [];
  for (const bucket of buckets) {
    const buy = side === 'Yes' ? findYesBuy(bucket) : findNoBuy(bucket);
    if (!buy.isExecutable) return null;
    legs.push({ eventId, label: bucket.label, side, price: buy.price });
  }
  return legs;
}

function describeSet(
  legs: readonly StructureLeg[],
  payoutPerSet: number,
  explain: (cost: string) => string,
): StructureEdge {
  const costPerSet = legs.reduce((sum, leg) => sum + leg.price.netPrice, 0);
  const depths = legs.map((leg) => leg.price.depthShares);
  const depthSets = depths.includes(null) ? null : Math.floor(Math.min(...depths.map((depth) => depth!)));
  return { legs, costPerSet, payoutPerSet, depthSets, reason: explain(`${costPerSet.toFixed(3)} USD`) };
}
