// The terms of a contract: which venue lists it, which posts it counts and what it settles on. They belong to the
// contract, not to the account: one account may have contracts under several rules.

import type { CountingRule } from './counting-rule.ts';

/** As the venue's adapter names itself. */
export type VenueId = string;

export interface ContractTerms {
  venue: VenueId;
  countingRule: CountingRule;
  /** The list or count that the venue pays out on. */
  settlementSource: string;
}

/** One series of contracts of an account on a further venue. */
export interface ContractSeries extends ContractTerms {
  /** As the venue names the series. */
  series: string;
  /** Zone in which its windows are stated. */
  timeZone: string;
}
