// Converts a listed row to a post. The list contains posts, reposts and quotes, and flags deletions.

import type { Account } from '../../domain/account.ts';
import { type CountingRule, isCountedBy } from '../../domain/counting-rule.ts';
import { type CountWindow, isInside } from '../../domain/market-event.ts';
import type { Post } from '../../domain/post.ts';
import type { ListedPostWire } from './wire.ts';

/** The list flags a deleted post without a time, so `deletedTs` is when we first saw the flag. */
export function parsePost(wire: ListedPostWire, account: Account, nowTs: number): Post {
  return {
    accountId: account.accountId,
    postId: wire.postId,
    createdTs: wire.createdTs,
    text: wire.text,
    isReply: false,
    isQuote: wire.isQuote,
    isRetweet: wire.isRepost,
    isSelfReply: false,
    isCommunity: false,
    rootPostId: wire.postId,
    ...(wire.isDeleted ? { deletedTs: nowTs } : {}),
  };
}

/** A contract's count on this list. */
export function countListed(
  posts: readonly ListedPostWire[],
  window: CountWindow,
  rule: CountingRule,
): number {
  return posts.filter(
    (post) =>
      isInside(window, post.createdTs) &&
      (rule.deletedPosts || !post.isDeleted) &&
      isCountedBy(rule, {
        isReply: false,
        isQuote: post.isQuote,
        isRetweet: post.isRepost,
        isSelfReply: false,
        isCommunity: false,
      }),
  ).length;
}
