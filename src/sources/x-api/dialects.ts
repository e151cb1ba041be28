// The platform writes the same fields under two sets of names: the specification's (post.fields, referenced_posts)
// and the older one, which still worked in September 2026 though nothing documents it. Both are read; which one to
// ask in is found out and remembered.

import type { WireRecord } from '../wire-reader.ts';

export interface Dialect {
  /** Query parameter that names the wanted fields. */
  parameter: string;
  fields: string;
}

const SHARED_FIELDS = ['created_at', 'author_id', 'conversation_id', 'in_reply_to_user_id', 'community_id'];

export const DIALECTS: readonly Dialect[] = [
  {
    parameter: 'post.fields',
    fields: [...SHARED_FIELDS, 'referenced_posts', 'note_post', 'edit_history_post_ids'].join(','),
  },
  {
    parameter: 'tweet.fields',
    fields: [...SHARED_FIELDS, 'referenced_tweets', 'note_tweet', 'edit_history_tweet_ids'].join(','),
  },
];

/** The value under whichever name it came. */
export function readEither(record: WireRecord, postName: string, tweetName: string): unknown {
  return record[postName] ?? record[tweetName];
}
