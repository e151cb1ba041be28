// How aggressively accounts are sized, and which actions their signals may take: data, not code.

import type { Account } from '../../domain/account.ts';
import { roundExact } from '../decimal.ts';
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

// Converts dollars to a valid order: whole shares, at least the market's minimum, at most part of the book.

export const MIN_ORDER_USD = 1;
export const DEFAULT_MIN_SHARES = 5;

/** Whole shares for a stake; 0 if below the market's minimum number of shares or 1 USD. */
export function computeLotShares(
  stakeUsd: number,
  costPerShare: number,
  minShares = DEFAULT_MIN_SHARES,
): number {
  if (!(costPerShare > 0) || !(stakeUsd > 0)) return 0;
  const shares = Math.floor(roundExact(stakeUsd / costPerShare));
  const isBelowMinimum = shares < minShares || roundExact(stakeUsd) < MIN_ORDER_USD;
  return isBelowMinimum ? 0 : shares;
}

/** Largest stake that takes at most `share` of the displayed depth; unlimited if the book shows none. */
export function computeDepthCapUsd(depthShares: number | null, costPerShare: number, share: number): number {
  return depthShares === null ? Number.POSITIVE_INFINITY : Math.max(0, depthShares) * share * costPerShare;
}
