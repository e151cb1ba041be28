// Which posts count toward settlement. A rule is data, so accounts can differ without different code.

import type { Post } from './post.ts';

export interface CountingRule {
  originals: boolean;
  quotes: boolean;
  reposts: boolean;
  replies: boolean;
  /** The account's replies to itself, which appear on its main feed. */
  selfReplies: boolean;
  /**
   * Which self-replies count: those in conversations the account started, or any. docs/going-live.md compares
   * the two options with the oracle.
   */
  selfReplyRoots: 'own' | 'any';
  communityPosts: boolean;
  /** Whether a post that was captured and later deleted still counts. */
  deletedPosts: boolean;
}

/** The rule that the markets use: main-feed posts, quotes and reposts count; replies do not. */
export const MAIN_FEED_RULE: CountingRule = {
  originals: true,
  quotes: true,
  reposts: true,
  replies: false,
  selfReplies: true,
  selfReplyRoots: 'own',
  communityPosts: false,
  deletedPosts: true,
};

/** The fields a verdict depends on. */
export type JudgedPost = Pick<
  Post,
  'isReply' | 'isQuote' | 'isRetweet' | 'isSelfReply' | 'isCommunity' | 'conversation' | 'isDoubtful'
>;

/** What matters is whether the post is on the main feed, so a reply with a quote is still a reply. */
export function isCountedBy(rule: CountingRule, post: JudgedPost): boolean {
  if (post.isCommunity && !rule.communityPosts) return false;
  if (post.isReply) return post.isSelfReply ? isSelfReplyCounted(rule, post) : rule.replies;
  if (post.isRetweet) return rule.reposts;
  if (post.isQuote) return rule.quotes;
  return rule.originals;
}

/** Whether a better-informed source could change the verdict. */
export function isInDoubt(rule: CountingRule, post: JudgedPost): boolean {
  if (post.isCommunity && !rule.communityPosts) return false;
  if (post.isDoubtful) return !(rule.replies && rule.originals);
  return post.isReply && post.isSelfReply && hangsOnRoot(rule) && post.conversation === undefined;
}

/** Whether it matters to the rule who started the conversation of a self-reply. */
export function hangsOnRoot({ selfReplies, replies, selfReplyRoots }: CountingRule): boolean {
  return selfReplies && !replies && selfReplyRoots === 'own';
}

/** Most self-replies continue the account's own thread, so that is assumed when the starter is unknown. */
function isSelfReplyCounted(rule: CountingRule, post: JudgedPost): boolean {
  if (!rule.selfReplies) return false;
  return rule.selfReplyRoots === 'any' || rule.replies || post.conversation !== 'other';
}

/** Describes the rule in words, as shown with events. */
export function describeRule(rule: CountingRule): string {
  const kinds: [boolean, string][] = [
    [rule.originals, 'posts'],
    [rule.quotes, 'quotes'],
    [rule.reposts, 'reposts'],
    [rule.replies, 'replies'],
    [
      rule.selfReplies && !rule.replies,
      rule.selfReplyRoots === 'own' ? 'replies in own threads' : 'replies to itself',
    ],
    [rule.communityPosts, 'community posts'],
  ];
  const counted = kinds.flatMap(([isCounted, name]) => (isCounted ? [name] : []));
  return `${counted.join(', ')}; ${describeDeletions(rule)}`;
}

export function describeDeletions({ deletedPosts }: CountingRule): string {
  return `deleted posts ${deletedPosts ? 'count' : 'do not count'}`;
}
