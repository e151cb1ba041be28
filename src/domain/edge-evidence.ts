// What settled, priced buckets show about the gap between model and market: plain numbers, so that they can
// be stored, replicated and replayed.

export interface EdgeEvidence {
  /** Posterior mean of the weights of a gap; see `trade/edges/gap-features.ts` for their order. */
  mean: readonly number[];
  /** Posterior covariance of the same weights, row by row. */
  covariance: readonly (readonly number[])[];
  /** Settled events behind it, including those of the shipped prior. */
  events: number;
  /** How much one more event tightens the weight of a gap, as an inverse variance. */
  informationPerEvent: number;
  /** Why model advice is halted; null while results agree with the advice. */
  halt: string | null;
}
