// Keeps advice stable: (current advice, fresh decision) -> next advice, and why it changed. Advice stays
// while no price in the bucket's books has moved by a tick and the blended probability has moved by less than
// half a point. After a larger move, a purchase stays until its bound is half a point below its cost.
// Obstacles (a stale feed, a closed bucket), new facts and structure take effect immediately.

import type { StandingAdvice } from '../../domain/standing-advice.ts';
import { type Executability, findNoBuy, findYesBuy, findYesSell } from '../cost.ts';
import { roundExact } from '../decimal.ts';
import type { BucketEdge, PricedBucket, VerdictKind } from '../types.ts';
import { isProven } from './bounds.ts';
import { type Decision, NO_TRADE } from './decision.ts';
import { centsSign, percent } from './reasons.ts';

const HALF_POINT = 0.005;

export interface SteadyDecision {
  decision: Decision;
  standing: StandingAdvice;
}

export function keepSteady(
  previous: StandingAdvice | undefined,
  fresh: Decision,
  bucket: PricedBucket,
  edge: BucketEdge,
  obstacle: string | null,
  nowTs: number,
): SteadyDecision {
  const now = describeBasis(fresh, bucket, edge, obstacle);
  if (!previous) {
    return { decision: fresh, standing: { ...now, sinceTs: nowTs, changedBecause: null } };
  }
  const isStill = !hasMoved(previous, now, bucket);
  const held = isUrgent(previous, now) ? null : hold(previous, fresh, bucket, edge, isStill);
  if (held) return { decision: held, standing: isStill ? previous : rebase(previous, now) };
  if (previous.kind !== now.kind || previous.edgeKind !== now.edgeKind) {
    const changedBecause = explainChange(previous, now, edge);
    return { decision: fresh, standing: { ...now, sinceTs: nowTs, changedBecause } };
  }
  const { sinceTs, changedBecause } = previous;
  const isUntouched = isStill && (previous.obstacle === null) === (now.obstacle === null);
  return { decision: fresh, standing: isUntouched ? previous : { ...now, sinceTs, changedBecause } };
}

type Basis = Omit<StandingAdvice, 'sinceTs' | 'changedBecause'>;

function describeBasis(
  { kind, edgeKind, kellyFraction }: Decision,
  { yesQuote, noQuote }: PricedBucket,
  { blended, rule }: BucketEdge,
  obstacle: string | null,
): Basis {
  const book = [yesQuote?.bid, yesQuote?.ask, noQuote?.bid, noQuote?.ask].map((price) => price ?? null);
  const basis = { kind, edgeKind, blended: roundExact(blended), book, kellyFraction, obstacle };
  return rule ? { ...basis, rule } : basis;
}

/** Keeps the advice, and measures later moves from the current prices and probability. */
function rebase(previous: StandingAdvice, now: Basis): StandingAdvice {
  const { kind, edgeKind, kellyFraction, sinceTs, changedBecause } = previous;
  return { ...now, kind, edgeKind, kellyFraction, sinceTs, changedBecause };
}

/** True if an obstacle or a rule appears or clears, or if a fact or contradictory prices are involved. */
function isUrgent(previous: StandingAdvice, now: Basis): boolean {
  if ((previous.obstacle === null) !== (now.obstacle === null) || previous.rule !== now.rule) return true;
  const isModel = ({ edgeKind }: Basis) => edgeKind === null || edgeKind === 'model';
  return !isModel(previous) || !isModel(now);
}

function hasMoved(previous: StandingAdvice, now: Basis, { tickSize }: PricedBucket): boolean {
  return findMovedPrice(previous, now, tickSize) !== null || hasBlendMoved(previous, now);
}

function hasBlendMoved(previous: StandingAdvice, now: Basis): boolean {
  return roundExact(Math.abs(now.blended - previous.blended)) >= HALF_POINT;
}

/** Index of the first book price that moved by at least a tick, appeared or disappeared. */
function findMovedPrice(previous: StandingAdvice, now: Basis, tickSize: number): number | null {
  const at = now.book.findIndex((price, i) => {
    const before = previous.book[i] ?? null;
    if (price === null || before === null) return price !== before;
    return roundExact(Math.abs(price - before)) >= tickSize;
  });
  return at < 0 ? null : at;
}

/** The previous decision at the current price; null if it cannot or should not be kept. */
function hold(
  previous: StandingAdvice,
  fresh: Decision,
  bucket: PricedBucket,
  edge: BucketEdge,
  isStill: boolean,
): Decision | null {
  const { kind, edgeKind, kellyFraction } = previous;
  if (kind === fresh.kind) return isStill ? keepStake(previous, fresh) : null;
  if (kind === 'nothing') return isStill ? waitOn(fresh) : null;
  const trade = findTrade(kind, bucket);
  if (!trade.isExecutable) return null;
  if (!isStill && !isNearlyProven(kind, edge, bucket, trade.price.netPrice)) return null;
  return {
    ...fresh,
    kind,
    edgeKind,
    price: trade.price,
    kellyFraction,
    isSkipped: false,
    abstainReason: null,
    actAt: null,
    reasons: ['unchanged: price and blended probability have barely moved'],
  };
}

function findTrade(kind: VerdictKind, bucket: PricedBucket): Executability {
  if (kind === 'exit') return findYesSell(bucket);
  return kind === 'buy-no' ? findNoBuy(bucket) : findYesBuy(bucket);
}

function isNearlyProven(kind: VerdictKind, edge: BucketEdge, bucket: PricedBucket, cost: number): boolean {
  if (kind === 'exit') return false;
  return isProven(edge, bucket, kind === 'buy-no' ? 'No' : 'Yes', cost, HALF_POINT);
}

/** Stakes on other events must not change this stake while nothing about its own bucket has moved. */
function keepStake({ kellyFraction }: StandingAdvice, fresh: Decision): Decision {
  return fresh.kind === 'nothing' ? fresh : { ...fresh, kellyFraction };
}

function waitOn(fresh: Decision): Decision {
  const reason = 'price and blended probability have barely moved since the last decision';
  return {
    ...NO_TRADE,
    actAt: fresh.actAt,
    abstainReason: reason,
    reasons: [...fresh.reasons, reason],
  };
}

const BOOK_NAMES = ['Yes bid', 'Yes ask', 'No bid', 'No ask'];

function explainChange(previous: StandingAdvice, now: Basis, edge: BucketEdge): string {
  if (now.obstacle !== null) return now.obstacle;
  if (previous.obstacle !== null) return 'advice is available again';
  if (now.edgeKind === 'fact' && edge.fact) return edge.fact;
  if (now.edgeKind === 'structure') return 'ladder prices contradict each other';
  if (previous.edgeKind === 'structure') return 'ladder prices are consistent again';
  if (now.rule) return now.rule;
  if (previous.rule) return 'the rule behind the advice no longer applies';
  const at = findMovedPrice(previous, now, 1e-9);
  const moves = [
    ...(at === null
      ? []
      : [`${BOOK_NAMES[at]} ${showPrice(previous.book[at])} → ${showPrice(now.book[at])}`]),
    ...(hasBlendMoved(previous, now)
      ? [`blended probability ${percent(previous.blended)} → ${percent(now.blended)}`]
      : []),
  ];
  return moves.length > 0 ? moves.join(', ') : 'newly settled events changed the evidence';
}

function showPrice(price: number | null | undefined): string {
  return price === null || price === undefined ? 'none' : centsSign(price);
}
