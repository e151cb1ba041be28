// Decides which captured posts a contract counts, by applying its rule to the stored flags.

import type { CountingRule } from './counting-rule.ts';
import { isCountedBy } from './counting-rule.ts';
import type { MarketEvent } from './market-event.ts';
import type { CapturedPost } from './post.ts';

/** On the first venue the account's stored verdict decides; elsewhere, the contract's own rule. */
export function countsFor({ terms }: Pick<MarketEvent, 'terms'>, post: CapturedPost): boolean {
  return terms ? isCountedUnder(terms.countingRule, post) : post.isCounted;
}

/** A doubtful post that the account's rule excludes (a likely edit, say) is excluded under every rule. */
function isCountedUnder(rule: CountingRule, post: CapturedPost): boolean {
  if (post.isDoubtful && !post.isCounted) return false;
  return (rule.deletedPosts || post.deletedTs === null) && isCountedBy(rule, post);
}
