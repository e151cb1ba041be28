// Which posts count toward settlement. A rule is data: accounts differ in it, code does not.

import type { Post } from './post.ts';

export interface CountingRule {
  originals: boolean;
  quotes: boolean;
  reposts: boolean;
  replies: boolean;
  /** Replies of the account to itself, which stand on its main feed. */
  selfReplies: boolean;
  communityPosts: boolean;
}

/** What the markets' rules say: main-feed posts, quotes and reposts; not replies. */
export const MAIN_FEED_RULE: CountingRule = {
  originals: true,
  quotes: true,
  reposts: true,
  replies: false,
  selfReplies: true,
  communityPosts: false,
};

/** A reply that quotes is a reply: being on the main feed decides, not the attachment. */
export function isCountedBy(
  rule: CountingRule,
  post: Pick<Post, 'isReply' | 'isQuote' | 'isRetweet' | 'isSelfReply' | 'isCommunity'>,
): boolean {
  if (post.isCommunity && !rule.communityPosts) return false;
  if (post.isReply) return post.isSelfReply ? rule.selfReplies : rule.replies;
  if (post.isRetweet) return rule.reposts;
  if (post.isQuote) return rule.quotes;
  return rule.originals;
}
