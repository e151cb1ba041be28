// Which captured posts a contract counts: its own rule over the stored flags.

import type { CountingRule } from './counting-rule.ts';
import { isCountedBy } from './counting-rule.ts';
import type { MarketEvent } from './market-event.ts';
import type { CapturedPost } from './post.ts';

/** The account's verdict on its first venue, the contract's own rule elsewhere. */
export function countsFor({ terms }: Pick<MarketEvent, 'terms'>, post: CapturedPost): boolean {
  return terms ? isCountedUnder(terms.countingRule, post) : post.isCounted;
}

/** A doubtful post that the account's rule excludes, such as a likely edit, is excluded by every rule. */
function isCountedUnder(rule: CountingRule, post: CapturedPost): boolean {
  if (post.isDoubtful && !post.isCounted) return false;
  return (rule.deletedPosts || post.deletedTs === null) && isCountedBy(rule, post);
}
