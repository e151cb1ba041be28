// Trades advised now across all accounts and events, facts and structure first; if there are none, the bucket
// closest to being bought, and the largest disagreement between model and market that could be traded.

import type { ActAt, BucketSignal, Disagreement, EdgeKind, EventSignals } from '../types.ts';
import { gapOf } from './bounds.ts';
import { centsSign } from './reasons.ts';

export interface Opportunity {
  accountId: string;
  event: EventSignals;
  signal: BucketSignal;
}

export interface NearMiss extends Opportunity {
  actAt: ActAt;
}

export interface AccountAdvice {
  accountId: string;
  events: readonly EventSignals[];
}

/** Facts, structure, then model edges, each by expected gain in dollars; exits last, for holders only. */
export function rankOpportunities(accounts: readonly AccountAdvice[]): Opportunity[] {
  return listSignals(accounts)
    .filter(({ signal }) => signal.verdict.kind !== 'nothing')
    .sort((a, b) => rank(a) - rank(b) || b.signal.verdict.expectedGainUsd - a.signal.verdict.expectedGainUsd);
}

const RANKS: Record<EdgeKind, number> = { fact: 0, structure: 1, model: 2 };

function rank({ signal }: Opportunity): number {
  const { kind, edgeKind } = signal.verdict;
  return kind === 'exit' || edgeKind === null ? 3 : RANKS[edgeKind];
}

/** Considers buckets that could be bought on fresh feeds; null if there are none. */
export function findNearestMiss(accounts: readonly AccountAdvice[]): NearMiss | null {
  let nearest: NearMiss | null = null;
  for (const candidate of listSignals(accounts)) {
    const { actAt } = candidate.signal.verdict;
    if (candidate.event.blindness !== null || actAt === null) continue;
    if (nearest === null || shortfall(actAt) < shortfall(nearest.actAt)) nearest = { ...candidate, actAt };
  }
  return nearest;
}

/** Excess of the cost over the value, as a fraction of the value. */
function shortfall({ costPerShare, worthAtCost }: ActAt): number {
  return costPerShare / worthAtCost - 1;
}

export interface LargestDisagreement extends Opportunity {
  disagreement: Disagreement;
  /** Both sides in cents, why it is not advised, and what would change that. */
  sentence: string;
}

/** Considers buckets that can be bought on fresh feeds and are not advised; null if there are none. */
export function findLargestDisagreement(accounts: readonly AccountAdvice[]): LargestDisagreement | null {
  let largest: (Opportunity & { disagreement: Disagreement }) | null = null;
  for (const candidate of listSignals(accounts)) {
    const { disagreement, verdict } = candidate.signal;
    if (candidate.event.blindness !== null || disagreement === null || verdict.kind !== 'nothing') continue;
    if (largest === null || gapOf(disagreement) > gapOf(largest.disagreement))
      largest = { ...candidate, disagreement };
  }
  return largest && { ...largest, sentence: describeLargest(largest.signal, largest.disagreement) };
}

function describeLargest({ bucketLabel, verdict }: BucketSignal, found: Disagreement): string {
  const { side, model, costPerShare } = found;
  const gap = `${side} ${bucketLabel} is worth ${centsSign(model)} to the model and costs ${centsSign(costPerShare)}`;
  const why = verdict.abstainReason === null ? '' : ` Not advised: ${verdict.abstainReason}.`;
  return `${gap}.${why} ${describeRemedy(found)}`;
}

function describeRemedy({ ask, actAtPrice }: Disagreement): string {
  if (actAtPrice === null)
    return 'No price would change that, only more settled events in favour of the model.';
  if (actAtPrice < ask) return `It would be advised at ${centsSign(actAtPrice)} or less.`;
  return 'A larger bankroll or a deeper book would change that.';
}

function listSignals(accounts: readonly AccountAdvice[]): Opportunity[] {
  return accounts.flatMap(({ accountId, events }) =>
    events.flatMap((event) => event.signals.map((signal) => ({ accountId, event, signal }))),
  );
}
