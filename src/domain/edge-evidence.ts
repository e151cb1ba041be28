// What settled buckets with known prices show about the gap between model and market. Plain numbers, so they
// can be stored, replicated and replayed.

export interface EdgeEvidence {
  /** Posterior mean of the gap weights, in the order of `trade/edges/gap-features.ts`. */
  mean: readonly number[];
  /** Posterior covariance of the same weights, row by row. */
  covariance: readonly (readonly number[])[];
  /** Number of settled events it is based on, including those in the shipped prior. */
  events: number;
  /** How much one more event adds to the precision (inverse variance) of the gap weight. */
  informationPerEvent: number;
  /** Why model advice is halted; null while results agree with the advice. */
  halt: string | null;
}
