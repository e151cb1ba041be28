// The prior used until the first events have settled.

import type { EdgeEvidence } from '../../domain/edge-evidence.ts';

/**
 * Before any ladder has settled: weight about 0.3 on a gap if the model is below the market and half that if
 * above (Yes edges showed adverse selection), and zero for lead, gap size and price band, each with its sd.
 */
export const VAGUE_EVIDENCE: EdgeEvidence = {
  mean: [0.15, 0.3, 0, 0, 0],
  covariance: diagonal([0.3, 0.3, 0.15, 0.15, 0.1]),
  events: 0,
  informationPerEvent: 0.03,
  halt: null,
};

/** From 12 weekly ladders of account A; `npx tallycast backtest --prices FILE --leads all` prints it. */
export const PRIOR_EVIDENCE: EdgeEvidence = {
  mean: [0.197, 0.31, 0, 0.004, -0.023],
  covariance: diagonal([0.294, 0.296, 0.15, 0.149, 0.1]),
  events: 12,
  informationPerEvent: 0.031,
  halt: null,
};

function diagonal(deviations: readonly number[]): number[][] {
  return deviations.map((sd, a) => deviations.map((_, b) => (a === b ? sd * sd : 0)));
}
