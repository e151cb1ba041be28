// The bank: what may be true of any account. Some experts follow a state through the days, others a discounted rate
// with a fixed width. None is fitted to an account; how far each is believed follows from how well it has foretold
// that account's windows (expert-evidence.ts). Chosen on two unlike accounts: docs/experiments/bank.

import { COUNTED_HALF_LIVES } from '../rate/origin-features.ts';
import type { StateSpaceParameters } from './state-space.ts';

const FAST_DAYS = 1.8;
const SLOW_DAYS = 45;
const LEVEL_STEP_SD = 0.03;

function following(
  fastSd: number,
  slowSd: number,
  noise: StateSpaceParameters['noise'],
): StateSpaceParameters {
  return { fastDays: FAST_DAYS, fastSd, slowDays: SLOW_DAYS, slowSd, levelStepSd: LEVEL_STEP_SD, noise };
}

export const STATE_EXPERTS: readonly StateSpaceParameters[] = [
  following(0.18, 0.5, { kind: 'gamma', size: 5 }),
  following(0.3, 0.5, { kind: 'gamma', size: 10 }),
  following(0.18, 0.25, { kind: 'burst', daySd: 0.25 }),
  following(0.08, 0.25, { kind: 'burst', daySd: 0.4 }),
  following(0.3, 0.1, { kind: 'gamma', size: 5 }),
  following(0.08, 0.1, { kind: 'gamma', size: 2.5 }),
];

/** The expert whose paths order the futures of windows that overlap. */
export const PATH_EXPERT = 2;

export interface RateExpert {
  /** Position of its half-life among the rates of an origin. */
  position: number;
  size: number;
}

export const RATE_EXPERTS: readonly RateExpert[] = [1.5, 3, 7, 14, 28].flatMap((days) =>
  [2.5, 5, 10, 20].map((size) => ({ position: COUNTED_HALF_LIVES.indexOf(days), size })),
);

export const EXPERT_COUNT = STATE_EXPERTS.length + RATE_EXPERTS.length;

/** Before evidence the two kinds are believed alike. */
export const EXPERT_PRIOR: readonly number[] = [
  ...STATE_EXPERTS.map(() => 0.5 / STATE_EXPERTS.length),
  ...RATE_EXPERTS.map(() => 0.5 / RATE_EXPERTS.length),
];
