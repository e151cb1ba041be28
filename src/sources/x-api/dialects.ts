// The X API has two vocabularies: the one in its specification (post.fields, expansions) and an older,
// undocumented one. We parse both; the first response shows which one the server honours.

import type { WireRecord } from '../wire-reader.ts';

export interface Dialect {
  /** For messages. */
  name: string;
  /** Query parameters for the fields of the counting rule. */
  query: Readonly<Record<string, string>>;
}

const SHARED_FIELDS = ['created_at', 'conversation_id', 'community_id'];
const PEOPLE = ['author_id', 'in_reply_to_user_id'];

export const DIALECTS: readonly Dialect[] = [
  {
    // In the OpenAPI document these four are expansions, not values of post.fields.
    name: 'post.fields with expansions',
    query: {
      'post.fields': [...SHARED_FIELDS, 'note_post'].join(','),
      expansions: [...PEOPLE, 'referenced_posts', 'edit_history_post_ids'].join(','),
    },
  },
  {
    name: 'tweet.fields',
    query: {
      'tweet.fields': [
        ...SHARED_FIELDS,
        ...PEOPLE,
        'referenced_tweets',
        'note_tweet',
        'edit_history_tweet_ids',
      ].join(','),
    },
  },
];

/** Reads the value under either name. */
export function readEither(record: WireRecord, postName: string, tweetName: string): unknown {
  return record[postName] ?? record[tweetName];
}
