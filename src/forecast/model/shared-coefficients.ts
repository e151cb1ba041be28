// Coefficients shared by all accounts, fitted to the posts of 14 public accounts from 2019 to 2022: how the
// remaining count departs from the core's mean, the members' initial weights, and the width of their mixture.
// Coefficients and widths are halved, because accounts differ.

import { FITTED_NUMBERS } from './fitted-numbers.ts';

/** Horizons at which weights are learned; others are interpolated in ln horizon. */
export const WEIGHT_HOURS = [6, 24, 72, 168] as const;
export type WeightHours = (typeof WEIGHT_HOURS)[number];

export interface SharedKnowledge {
  /** Reversion of the core's mean by horizon, per ln ratio of neighbouring rates (1.5 to 90 days). */
  reversion: readonly { hours: number; beta: readonly number[] }[];
  /** Initial weights for every account. */
  weights: Readonly<Record<WeightHours, Readonly<Record<MemberName, number>>>>;
  widths: Readonly<Record<WeightHours, WidthRule>>;
}

/**
 * ln width of the mixture = level + own x the account's past misses + calm x the misses that chance does not
 * explain + fall x depth of the fall.
 */
export interface WidthRule {
  level: number;
  own: number;
  calm: number;
  fall: number;
}

export const SHARED_KNOWLEDGE: SharedKnowledge = FITTED_NUMBERS;

// Names of the pool members, in mixing order.

/**
 * core: the state fitted to the account. reverting: the core with cross-account reversion after falls and
 * rises. memories: the account's own regression on its rates. fixed: a state with the same parameters for all accounts. calm: the three-month rate with its own
 * width.
 */
export const MEMBERS = ['core', 'reverting', 'memories', 'fixed', 'calm'] as const;
export type MemberName = (typeof MEMBERS)[number];
