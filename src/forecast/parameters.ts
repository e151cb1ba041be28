// What the model is told of an account: the hints of its profile, its market's zone, and a prior that all share.

import type { Account, ForecastHints } from '../domain/account.ts';
import { STATE_SPACE_PRIOR, type StateSpacePrior } from './model/state-space-fit.ts';

export interface AccountParameters extends ForecastHints {
  marketTimeZone: string;
  stateSpacePrior: StateSpacePrior;
}

export function getAccountParameters({
  forecastHints,
  marketTimeZone,
}: Pick<Account, 'forecastHints' | 'marketTimeZone'>): AccountParameters {
  return { ...forecastHints, marketTimeZone, stateSpacePrior: STATE_SPACE_PRIOR };
}
