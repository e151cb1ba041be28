// Fixed model inputs for an account: profile hints and the market's time zone. Everything else is learned.

import type { Account, ForecastHints } from '../domain/account.ts';

export interface AccountParameters extends ForecastHints {
  marketTimeZone: string;
  /** Platform name as its oracle spells it; some oracles have a known rate of overruled counts. */
  oraclePlatform?: string;
}

export function getAccountParameters({
  forecastHints,
  marketTimeZone,
  oraclePlatform,
}: Pick<Account, 'forecastHints' | 'marketTimeZone' | 'oraclePlatform'>): AccountParameters {
  return { ...forecastHints, marketTimeZone, oraclePlatform };
}

/** Version under which forecasts are published and scored. Bump it whenever the published numbers change. */
export const MODEL_VERSION = 'pooled-members/7';
