// How boldly accounts are sized, and which actions an account's signals may carry: data, not code.

import type { Account } from '../../domain/account.ts';
import type { SizingRules } from '../types.ts';

/** Without a bankroll in the request, this one is used. */
export const DEFAULT_BANKROLL_USD = 1_000;
/** A sale must beat holding by this much after fees; below it the spread is only noise. */
export const SELL_MARGIN = 0.01;

const COMMON_RULES: Omit<SizingRules, 'allowsSell'> = {
  kellyLambda: 0.25,
  depthShare: 0.2,
  twoBucket: { minWinProbability: 0.92, minEv: 0.02, maxStakeFraction: 0.05 },
  singleBucket: { minWinProbability: 0.75, minEv: 0.05, maxStakeFraction: 0.02 },
};

export function getSizingRules({ allowsSell }: Pick<Account, 'allowsSell'>): SizingRules {
  return { ...COMMON_RULES, allowsSell };
}
