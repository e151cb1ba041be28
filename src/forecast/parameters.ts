// What differs between accounts, as data. The code is the same for every account.

import { STATE_SPACE_PRIOR, type StateSpacePrior } from './model/state-space-fit.ts';

export interface AccountParameters {
  marketTimeZone: string;
  /** Days of the rolling window in which the plain velocity of the account is taken. */
  velocityWindowDays: number;
  /** Half-life of the account's discounted rate that is believed until evidence favours another; 3, 7, 14, 28 or 90. */
  rateHalfLifeDays: number;
  /** Prior share of time asleep, before the account's own gaps say otherwise. */
  sleepPrior: number;
  /** Resolved windows needed before a bias correction is considered. */
  biasCorrectionMinEvents: number;
  stateSpacePrior: StateSpacePrior;
  /** Posts per day to start from when the history is almost empty. */
  initialPostsPerDay: number;
}

export const DEFAULT_PARAMETERS: AccountParameters = {
  marketTimeZone: 'America/New_York',
  velocityWindowDays: 14,
  rateHalfLifeDays: 7,
  sleepPrior: 0.3,
  biasCorrectionMinEvents: 20,
  stateSpacePrior: STATE_SPACE_PRIOR,
  initialPostsPerDay: 20,
};

/** Account B: a calmer account with a long memory; its sleep prior and velocity window are those its interface states. */
const ACCOUNT_B: AccountParameters = {
  ...DEFAULT_PARAMETERS,
  sleepPrior: 0.092,
  velocityWindowDays: 14,
  rateHalfLifeDays: 14,
};

const BY_ACCOUNT: Record<string, AccountParameters> = {
  a: { ...DEFAULT_PARAMETERS, velocityWindowDays: 7, rateHalfLifeDays: 3 },
  b: ACCOUNT_B,
};

export function getAccountParameters(accountId: string): AccountParameters {
  return BY_ACCOUNT[accountId] ?? DEFAULT_PARAMETERS;
}
