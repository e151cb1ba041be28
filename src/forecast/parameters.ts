// What the model takes as given about an account: hints from its profile and its market's time zone.
// Everything else is learned.

import type { Account, ForecastHints } from '../domain/account.ts';

export interface AccountParameters extends ForecastHints {
  marketTimeZone: string;
  /** The platform as its oracle spells it; for some oracles the rate of overruled counts is known. */
  oraclePlatform?: string;
}

export function getAccountParameters({
  forecastHints,
  marketTimeZone,
  oraclePlatform,
}: Pick<Account, 'forecastHints' | 'marketTimeZone' | 'oraclePlatform'>): AccountParameters {
  return { ...forecastHints, marketTimeZone, oraclePlatform };
}
