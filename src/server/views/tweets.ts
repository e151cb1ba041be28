// Posts, newest first. Removes content that the platform's terms do not allow us to show.

import type { View } from '../../access/authorise.ts';
import type { CapturedPost } from '../../domain/post.ts';

export interface TextRules {
  publishText: boolean;
  blankTextOnDeletion: boolean;
}

/** The public view ignores the requested page. */
export const PUBLIC_PAGE = { limit: 15, offset: 0 };

export function presentTweets(
  posts: readonly CapturedPost[],
  page: { limit: number; offset: number },
  view: View,
  rules: TextRules,
  nowTs: number,
) {
  return {
    timestamp: nowTs,
    data: posts.map((post) => presentPost(post, view, rules)),
    limit: page.limit,
    offset: page.offset,
  };
}

export function presentPost(post: CapturedPost, view: View, rules: TextRules) {
  const isDeleted = post.deletedTs !== null;
  const isTextShown = rules.publishText && !(isDeleted && rules.blankTextOnDeletion);
  return {
    tweet_id: post.postId,
    text: isTextShown ? (post.text ?? '') : '',
    created_ts: post.createdTs,
    is_reply: post.isReply,
    is_quote: post.isQuote,
    is_retweet: post.isRetweet,
    is_counted: view === 'pro' ? post.isCounted : null,
    is_deleted: isDeleted,
  };
}
