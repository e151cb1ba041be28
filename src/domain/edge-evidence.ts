// What settled, priced buckets have taught about the gap between model and market: plain numbers, so that they can be
// stored, replicated and replayed.

export interface EdgeEvidence {
  /** Posterior mean of the weights of a gap; see `trade/edges/gap-features.ts` for their order. */
  mean: readonly number[];
  /** Posterior covariance of the same weights, row by row. */
  covariance: readonly (readonly number[])[];
  /** Settled events it rests on, those behind the shipped prior included. */
  events: number;
  /** How much one more event tightens the weight of a gap, as the inverse of a variance. */
  informationPerEvent: number;
  /** Why model advice is halted; null while results agree with what was advised. */
  halt: string | null;
}
