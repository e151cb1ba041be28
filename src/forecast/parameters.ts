// What the model is told of an account: the hints of its profile and its market's zone. How its rate moves is learned.

import type { Account, ForecastHints } from '../domain/account.ts';

export interface AccountParameters extends ForecastHints {
  marketTimeZone: string;
}

export function getAccountParameters({
  forecastHints,
  marketTimeZone,
}: Pick<Account, 'forecastHints' | 'marketTimeZone'>): AccountParameters {
  return { ...forecastHints, marketTimeZone };
}
