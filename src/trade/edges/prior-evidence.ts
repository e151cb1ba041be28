// Evidence before an account has settled events: a vague judgement, and the same after 12 real ladders.

import type { EdgeEvidence } from '../../domain/standing-advice.ts';

/** Between the market alone (0) and the model alone (1), nearly any average weight is possible. */
const AVERAGE_SD = 0.5;
/** Half the difference between the weights below and above the market. */
const HALF_DIFFERENCE_SD = 0.2;

/**
 * Before any ladder has settled: weight 0.3 on a gap if the model is below the market and half that if above
 * (Yes edges showed adverse selection), and zero for lead, gap size and price band.
 */
export const VAGUE_EVIDENCE: EdgeEvidence = {
  mean: [0.15, 0.3, 0, 0, 0],
  covariance: covarianceOf(
    [Math.hypot(AVERAGE_SD, HALF_DIFFERENCE_SD), Math.hypot(AVERAGE_SD, HALF_DIFFERENCE_SD), 0.15, 0.15, 0.1],
    AVERAGE_SD ** 2 - HALF_DIFFERENCE_SD ** 2,
  ),
  events: 0,
  informationPerEvent: [
    [0.06, 0.03],
    [0.03, 0.03],
  ],
  halt: null,
  sources: { shipped: 0, recomputed: 0, forward: 0, ofOtherAccounts: 0 },
};

/** From 12 weekly ladders of account A; `npx tallycast backtest --prices FILE --leads all` prints it. */
export const PRIOR_EVIDENCE: EdgeEvidence = {
  mean: [0.24, 0.4, 0, 0, -0.01],
  covariance: covarianceOf([0.476, 0.483, 0.15, 0.15, 0.1], 0.151),
  events: 12,
  informationPerEvent: [
    [0.046, 0.016],
    [0.016, 0.027],
  ],
  halt: null,
  sources: { shipped: 12, recomputed: 0, forward: 0, ofOtherAccounts: 0 },
  unaided: { weight: 0.58, sd: 0.83, independentMoments: 1.3 },
};

/** End of the last of these ladders. */
const SHIPPED_UNTIL_TS = Date.UTC(2025, 11, 26, 17);

/**
 * The shipped ladders count until events from their time are read, which may be the same ladders: nothing is
 * counted twice.
 */
export function choosePrior(endTimes: readonly number[]): EdgeEvidence {
  return endTimes.some((endTs) => endTs <= SHIPPED_UNTIL_TS) ? VAGUE_EVIDENCE : PRIOR_EVIDENCE;
}

/** How much of the average of the two gap weights is still the vague prior's: 1 before any event. */
export function computePriorShare({ covariance }: Pick<EdgeEvidence, 'covariance'>): number {
  const varianceOf = (matrix: EdgeEvidence['covariance']) =>
    matrix[0]![0]! + matrix[1]![1]! + matrix[0]![1]! + matrix[1]![0]!;
  return Math.min(1, varianceOf(covariance) / varianceOf(VAGUE_EVIDENCE.covariance));
}

/** `shared` is the covariance of the first two weights. */
function covarianceOf(deviations: readonly number[], shared: number): number[][] {
  return deviations.map((sd, a) =>
    deviations.map((_, b) => (a === b ? sd * sd : a < 2 && b < 2 ? shared : 0)),
  );
}
