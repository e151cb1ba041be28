// Contract terms: the listing venue, which posts count, and the settlement source. They belong to the
// contract, not to the account: one account may have contracts with different rules.

import type { CountingRule } from './counting-rule.ts';

/** Name of the venue's adapter. */
export type VenueId = string;

export interface ContractTerms {
  venue: VenueId;
  countingRule: CountingRule;
  /** The list or count the venue settles on. */
  settlementSource: string;
}

/** A series of contracts about an account, listed on an additional venue. */
export interface ContractSeries extends ContractTerms {
  /** The venue's name for the series. */
  series: string;
  /** Time zone in which its windows are defined. */
  timeZone: string;
}
