// Current advice, independent of any bankroll. Later evaluations compare against it, so advice changes only
// for a reason. It is plain JSON stored in the snapshot, so replicas agree and it survives a restart.

import type { VenueId } from './contract.ts';

export type VerdictKind = 'buy-yes' | 'buy-no' | 'exit' | 'nothing';
export type EdgeKind = 'fact' | 'structure' | 'model';

export interface StandingAdvice {
  kind: VerdictKind;
  edgeKind: EdgeKind | null;
  /** Blended probability of Yes at that time. */
  blended: number;
  /** Book at that time: Yes bid, Yes ask, No bid, No ask. */
  book: readonly (number | null)[];
  kellyFraction: number;
  /** The rule behind the advice; absent if none. */
  rule?: string;
  /** Why there is no advice, e.g. a stale feed; null otherwise. */
  obstacle: string | null;
  sinceTs: number;
  /** What changed; null for the first advice on the bucket. */
  changedBecause: string | null;
}

/** By event id, then by bucket label. */
export type StandingAdviceByEvent = Readonly<Record<string, Readonly<Record<string, StandingAdvice>>>>;

// What settled buckets with known prices show about the gap between model and market. Plain numbers, so they
// can be stored, replicated and replayed.

export interface EdgeEvidence {
  /** Posterior mean of the gap weights, in the order of `trade/edges/blend.ts`. */
  mean: readonly number[];
  /** Posterior covariance of the same weights, row by row. */
  covariance: readonly (readonly number[])[];
  /** Number of settled events it is based on, including those in the shipped prior. */
  events: number;
  /** What one more event adds to the precision of the two gap weights; one number in older stored evidence. */
  informationPerEvent: number | readonly (readonly number[])[];
  /** Why model advice is halted; null while results agree with the advice. */
  halt: string | null;
  /** What the account's own settled events say about each rule, by venue; absent before any is judged. */
  rules?: readonly RuleEvidence[];
  /** Absent in older stored evidence. */
  sources?: EvidenceSources;
  /** What the events alone ask for, without any prior; absent if they say nothing. */
  unaided?: UnaidedWeight;
  /** Present while past events are read for the first time; until then they count for nothing. */
  reading?: ReadingProgress;
}

/** How many of the settled events have been compared with the market. */
export interface ReadingProgress {
  compared: number;
  of: number;
}

/** What settled events of one account and venue, none of which a rule was chosen on, say about it. */
export interface RuleEvidence {
  rule: string;
  venue: VenueId;
  /** Forecasts recomputed later, and forecasts published before the outcome; never added up when shown. */
  recomputed: RuleResult;
  forward: RuleResult;
  /** Events with a bet, recomputed or forward, and the calendar weeks in which they ended. */
  events: number;
  weeks: number;
  /** Lower end of the 90 % interval of the profit per share over all of them; null below 3 events. */
  gainLow: number | null;
  mayAdvise: boolean;
}

/** Settled bets of one share each. */
export interface RuleResult {
  bets: number;
  events: number;
  /** Mean stated probability, midpoint of the bought side, and share won; null without bets. */
  said: number | null;
  price: number | null;
  came: number | null;
  /** Profit per share in USD after costs, and its 90 % interval by event; the interval needs 3 events. */
  gain: number | null;
  gainInterval: { lo: number; hi: number } | null;
}

/** Number of settled events by origin. Forward and recomputed events are never added up. */
export interface EvidenceSources {
  /** Ladders in the prior that ships with the package. */
  shipped: number;
  /** Past events: prices read from the venue, forecasts recomputed from data available at the time. */
  recomputed: number;
  /** Forecasts published before the outcome. */
  forward: number;
  /** How many of the last two belong to other accounts and count half. */
  ofOtherAccounts: number;
}

/** One weight for gaps on both sides: 0 is the market alone, 1 the model alone. */
export interface UnaidedWeight {
  weight: number;
  /** Errors clustered by event, with overlapping windows correlated. */
  sd: number;
  /** How many independent observations an event's moments amount to. */
  independentMoments: number;
}
