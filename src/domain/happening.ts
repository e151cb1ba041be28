// What happened in an account's events and no other table remembers: advice, price jumps, and counts that
// disagreed. A happening has a start and, once it is over, an end.

import type { EdgeKind, VerdictKind } from './standing-advice.ts';

/** Advice as it was published, for the service's default bankroll. */
export interface AdviceGiven {
  verdict: Exclude<VerdictKind, 'nothing'>;
  edgeKind: EdgeKind | null;
  /** Highest book price at which to buy, or lowest at which to sell. */
  limitPrice: number;
  winProbability: number;
  sentence: string;
  /** null while it is active, or if unknown. */
  endedBecause: string | null;
  /** Market price of the traded side at the end. */
  endPrice: number | null;
}

/** A Yes price that moved far within minutes. */
export interface PriceJump {
  fromPrice: number;
  toPrice: number;
}

/** Our count and the oracle's when they were furthest apart. */
export interface CountsApart {
  real: number;
  oracle: number;
}

interface Span {
  accountId: string;
  eventId: number;
  /** Empty if it is about the whole event. */
  bucketLabel: string;
  fromTs: number;
  /** null while it lasts. */
  endedTs: number | null;
}

export type AdviceHappening = Span & { kind: 'advice'; content: AdviceGiven };
export type PriceHappening = Span & { kind: 'price'; content: PriceJump };
export type CountsHappening = Span & { kind: 'counts'; content: CountsApart };
export type Happening = AdviceHappening | PriceHappening | CountsHappening;
