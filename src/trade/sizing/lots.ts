// Converts dollars to a valid order: whole shares, at least the market's minimum, at most part of the book.

import { roundExact } from '../decimal.ts';

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
