// The bank: what may be true of any account. Some experts follow a state through the days, others a discounted rate
// with a fixed width. None is fitted to an account; how far each is believed follows from how well it has foretold
// that account's windows (expert-evidence.ts). Chosen on two unlike accounts: docs/experiments/bank.

import { COUNTED_HALF_LIVES } from '../rate/origin-features.ts';
import type { DayNoise, StateSpaceParameters } from './state-space.ts';

const FAST_DAYS = 1.8;
/** Daily step of the level: of an account that may become another, and of one that comes back to itself. */
const WANDERS = 0.03;
const RETURNS = 0.005;

function following(
  fastSd: number,
  [slowDays, slowSd]: readonly [number, number],
  levelStepSd: number,
  noise: DayNoise,
): StateSpaceParameters {
  return { fastDays: FAST_DAYS, fastSd, slowDays, slowSd, levelStepSd, noise };
}

export const STATE_EXPERTS: readonly StateSpaceParameters[] = [
  following(0.3, [45, 0.5], WANDERS, { kind: 'gamma', size: 10 }),
  following(0.18, [45, 0.5], RETURNS, { kind: 'gamma', size: 5 }),
  following(0.08, [45, 0.25], WANDERS, { kind: 'gamma', size: 2.5 }),
  following(0.18, [45, 0.25], WANDERS, { kind: 'burst', daySd: 0.25 }),
  following(0.08, [45, 0.25], WANDERS, { kind: 'burst', daySd: 0.4 }),
  following(0.28, [60, 0.5], RETURNS, { kind: 'plain', daySd: 0.25 }),
  following(0.28, [15, 0.25], RETURNS, { kind: 'plain', daySd: 0.3 }),
  following(0.12, [60, 0.25], RETURNS, { kind: 'plain', daySd: 0.55 }),
];

export interface RateExpert {
  /** Position of its half-life among the rates of an origin. */
  position: number;
  size: number;
}

const RATE_DAYS = [1.5, 3, 7, 14, 28];
const RATE_SIZES = [2.5, 5, 10, 20];

export const RATE_EXPERTS: readonly RateExpert[] = RATE_DAYS.flatMap((days) =>
  RATE_SIZES.map((size) => ({ position: COUNTED_HALF_LIVES.indexOf(days), size })),
);

export const EXPERT_COUNT = STATE_EXPERTS.length + RATE_EXPERTS.length;

/** Belief at one horizon in the rates, by half-life and by size. */
interface GenericBelief {
  days: readonly number[];
  sizes: readonly number[];
}

/** The states are believed twice as far as the rates, each as much as the other. */
const STATE_SHARE = 2 / 3;

/** What two unlike accounts had come to believe on average: where an account begins of which nothing is known. */
const GENERIC_BELIEF: Readonly<Record<number, GenericBelief>> = {
  24: {
    days: [0.2, 0.25, 0.2, 0.18, 0.17],
    sizes: [0.5, 0.4, 0.07, 0.03],
  },
  72: {
    days: [0.12, 0.22, 0.26, 0.22, 0.18],
    sizes: [0.06, 0.46, 0.42, 0.06],
  },
  168: {
    days: [0.08, 0.18, 0.29, 0.27, 0.18],
    sizes: [0.08, 0.3, 0.38, 0.24],
  },
};

/** Belief before evidence at a horizon of the bank, in the order of the experts; sums to 1. */
export function expertPrior(hours: number): Float64Array {
  const { days, sizes } = GENERIC_BELIEF[hours]!;
  return Float64Array.of(
    ...STATE_EXPERTS.map(() => STATE_SHARE / STATE_EXPERTS.length),
    ...days.flatMap((a) => sizes.map((b) => (1 - STATE_SHARE) * a * b)),
  );
}
