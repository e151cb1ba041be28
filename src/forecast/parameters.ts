// What the model is told of an account: the hints of its profile and its market's zone. How its rate moves is learned.

import type { Account, ForecastHints } from '../domain/account.ts';

export interface AccountParameters extends ForecastHints {
  marketTimeZone: string;
  /** The platform as its oracle spells it: how often that oracle's counts were overruled is known of some. */
  oraclePlatform?: string;
}

export function getAccountParameters({
  forecastHints,
  marketTimeZone,
  oraclePlatform,
}: Pick<Account, 'forecastHints' | 'marketTimeZone' | 'oraclePlatform'>): AccountParameters {
  return { ...forecastHints, marketTimeZone, oraclePlatform };
}
