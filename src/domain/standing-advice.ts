// Advice as it stands, apart from any bankroll: what a later moment is compared with, so that advice changes only with a
// cause. Plain JSON: it travels with the snapshot, so replicas agree and a restart keeps it.

export type VerdictKind = 'buy-yes' | 'buy-no' | 'exit' | 'nothing';
export type EdgeKind = 'fact' | 'structure' | 'model';

export interface StandingAdvice {
  kind: VerdictKind;
  edgeKind: EdgeKind | null;
  /** Blended probability of Yes when it was taken. */
  blended: number;
  /** Book then: Yes bid, Yes ask, No bid, No ask. */
  book: readonly (number | null)[];
  kellyFraction: number;
  /** Why nothing may be advised, as when a feed is stale; null otherwise. */
  obstacle: string | null;
  sinceTs: number;
  /** What changed then; null for the first advice on the bucket. */
  changedBecause: string | null;
}

/** By event id, then by bucket label. */
export type StandingAdviceByEvent = Readonly<Record<string, Readonly<Record<string, StandingAdvice>>>>;
