// Contract terms: the listing venue, which posts count, and the settlement source. They belong to the
// contract, not to the account: one account may have contracts with different rules.

import { type CountingRule, isCountedBy } from './counting-rule.ts';
import type { CapturedPost } from './post.ts';

/** Name of the venue's adapter. */
export type VenueId = string;

export interface ContractTerms {
  venue: VenueId;
  countingRule: CountingRule;
  /** The list or count the venue settles on. */
  settlementSource: string;
}

/** Terms of one listed contract. */
export interface ListedTerms extends ContractTerms {
  /** When trading ends, if that is after the counted period. */
  tradedUntilTs?: number;
}

/** A series of contracts about an account, listed on an additional venue. */
export interface ContractSeries extends ContractTerms {
  /** The venue's name for the series. */
  series: string;
  /** Time zone in which its windows are defined. */
  timeZone: string;
}

/** Generic on purpose: the contract does not name the venue of accounts A and B either. */
export const FIRST_VENUE: VenueId = 'market';

/** Terms of the account's contracts on its first venue. */
export function firstTerms({ countingRule }: Pick<ContractTerms, 'countingRule'>): ContractTerms {
  return { venue: FIRST_VENUE, countingRule, settlementSource: 'oracle' };
}

/** Whether `other` counts every post that `rule` counts. */
export function isNarrower(rule: CountingRule, other: CountingRule): boolean {
  const kinds = ['originals', 'quotes', 'reposts', 'replies', 'communityPosts', 'deletedPosts'] as const;
  const countsSelfReplies = (one: CountingRule) => one.selfReplies || one.replies;
  if (kinds.some((kind) => rule[kind] && !other[kind])) return false;
  if (countsSelfReplies(rule) && !countsSelfReplies(other)) return false;
  return (
    other.replies || rule.selfReplyRoots === 'own' || other.selfReplyRoots === 'any' || !rule.selfReplies
  );
}

export function isSameRule(left: CountingRule, right: CountingRule): boolean {
  return isNarrower(left, right) && isNarrower(right, left);
}

// Decides which captured posts a contract counts, by applying its rule to the stored flags.

/** On the first venue the account's stored verdict decides; elsewhere, the contract's own rule. */
export function countsFor({ terms }: { terms?: ContractTerms }, post: CapturedPost): boolean {
  return terms ? isCountedUnder(terms.countingRule, post) : post.isCounted;
}

/** A version of an edited post, and a doubtful post that the account's rule excludes, count under no rule. */
export function isCountedUnder(rule: CountingRule, post: CapturedPost): boolean {
  if (post.isVersion || (post.isDoubtful && !post.isCounted)) return false;
  return (rule.deletedPosts || post.deletedTs === null) && isCountedBy(rule, post);
}
