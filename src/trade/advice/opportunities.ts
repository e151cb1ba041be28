// Trades advised now across all accounts and events, facts and structure first; if there are none, the bucket
// closest to being bought and the price at which it would be.

import type { ActAt, BucketSignal, EdgeKind, EventSignals } from '../types.ts';

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

function listSignals(accounts: readonly AccountAdvice[]): Opportunity[] {
  return accounts.flatMap(({ accountId, events }) =>
    events.flatMap((event) => event.signals.map((signal) => ({ accountId, event, signal }))),
  );
}
