// What to do now, across all accounts and events: every verdict that asks for a trade, the best first; and, when none
// does, which bucket came nearest and what price would make it worth it.

import type { BucketSignal, EventSignals } from '../types.ts';

export interface Opportunity {
  accountId: string;
  event: EventSignals;
  signal: BucketSignal;
}

export interface NearMiss extends Opportunity {
  /** The share that is closest to being worth buying, and what it costs now. */
  costPerShare: number;
  /** Full cost at or below which it would be worth buying. */
  worthAtCost: number;
}

export interface AccountAdvice {
  accountId: string;
  events: readonly EventSignals[];
}

/** Purchases by expected gain in dollars, then exits: they matter only to who holds the bucket. */
export function rankOpportunities(accounts: readonly AccountAdvice[]): Opportunity[] {
  return listSignals(accounts)
    .filter(({ signal }) => signal.verdict.kind !== 'nothing')
    .sort((a, b) => rank(a) - rank(b) || b.signal.verdict.expectedGainUsd - a.signal.verdict.expectedGainUsd);
}

function rank({ signal }: Opportunity): number {
  return signal.verdict.kind === 'exit' ? 1 : 0;
}

/** Among buckets that could be bought on feeds that were heard; null when there is none. */
export function findNearestMiss(accounts: readonly AccountAdvice[]): NearMiss | null {
  let nearest: NearMiss | null = null;
  for (const candidate of listSignals(accounts)) {
    const { signal, event } = candidate;
    if (event.blindness !== null || signal.costPerShare === null || signal.verdict.kind !== 'nothing')
      continue;
    const worthAtCost = Math.min(signal.believedProbability, signal.modelProbability);
    const miss = { ...candidate, costPerShare: signal.costPerShare, worthAtCost };
    if (worthAtCost > 0 && (nearest === null || shortfall(miss) < shortfall(nearest))) nearest = miss;
  }
  return nearest;
}

/** How much too dear, as a share of what it is worth. */
function shortfall({ costPerShare, worthAtCost }: NearMiss): number {
  return costPerShare / worthAtCost - 1;
}

function listSignals(accounts: readonly AccountAdvice[]): Opportunity[] {
  return accounts.flatMap(({ accountId, events }) =>
    events.flatMap((event) => event.signals.map((signal) => ({ accountId, event, signal }))),
  );
}
