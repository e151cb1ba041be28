// Contract terms: the listing venue, which posts count, and the settlement source. They belong to the
// contract, not to the account: one account may have contracts under several rules.

import type { CountingRule } from './counting-rule.ts';

/** Name of the venue's adapter. */
export type VenueId = string;

export interface ContractTerms {
  venue: VenueId;
  countingRule: CountingRule;
  /** The list or count the venue settles on. */
  settlementSource: string;
}

/** One series of contracts of an account on an additional venue. */
export interface ContractSeries extends ContractTerms {
  /** The venue's name of the series. */
  series: string;
  /** Time zone of its windows. */
  timeZone: string;
}
