// Builds allocation problems for one event, with its buckets as the only outcomes.

import type { AllocationProblem, Holding } from '../../src/trade/sizing/exclusive-allocation.ts';

/** The first bucket has no position and no offers. */
export const FLAT: Holding = {
  event: 0,
  bucket: 0,
  yesShares: 0,
  noShares: 0,
  yesCost: null,
  yesNetBid: null,
  noCost: null,
  noNetBid: null,
};

export function problemOf(p: number[], holdings: Holding[], cashUsd = 100): AllocationProblem {
  const winners = [Int32Array.from(p, (_, i) => i)];
  return { probabilities: Float64Array.from(p), winners, cashUsd, holdings };
}

/** A ladder that can be traded on its Yes side. */
export interface Ladder {
  p: number[];
  ask: number[];
  bid: number[];
  cash: number;
  shares: number[];
}

export function ladderProblem({ p, ask, bid, cash, shares }: Ladder): AllocationProblem {
  const holdings = p.map((_, bucket) => ({
    ...FLAT,
    bucket,
    yesShares: shares[bucket]!,
    yesCost: ask[bucket]!,
    yesNetBid: bid[bucket]!,
  }));
  return problemOf(p, holdings, cash);
}
