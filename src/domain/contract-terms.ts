// Default contract terms, and comparison of counting rules.

import type { Account } from './account.ts';
import type { ContractTerms, VenueId } from './contract.ts';
import type { CountingRule } from './counting-rule.ts';

/** Generic on purpose: the contract does not name the venue of accounts A and B either. */
const FIRST_VENUE: VenueId = 'market';

/** Terms of the account's contracts on its first venue. */
export function firstTerms({ countingRule }: Account): ContractTerms {
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
