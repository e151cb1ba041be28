// How aggressively accounts are sized, and which actions their signals may take: data, not code.

import type { Account } from '../../domain/account.ts';
import type { SizingRules } from '../types.ts';

/** Used if a request has no bankroll. */
export const DEFAULT_BANKROLL_USD = 1_000;
/** Fraction of the bankroll for sets with contradictory prices: their payout is certain, but comes later. */
export const MAX_SET_STAKE = 0.2;

const COMMON_RULES: Omit<SizingRules, 'allowsSell'> = {
  kellyLambda: 0.25,
  depthShare: 0.2,
  twoBucket: { minWinProbability: 0.92, minEv: 0.02, maxStakeFraction: 0.05 },
  singleBucket: { minWinProbability: 0.75, minEv: 0.05, maxStakeFraction: 0.02 },
};

export function getSizingRules({ allowsSell }: Pick<Account, 'allowsSell'>): SizingRules {
  return { ...COMMON_RULES, allowsSell };
}
