// X API post -> domain post.

import type { Account } from '../../domain/account.ts';
import type { Post } from '../../domain/post.ts';
import { compareIds } from '../../domain/post-id.ts';
import type { SkippedItem } from '../source.ts';
import { isStatusId, SNOWFLAKE_IDS, statusIdTs } from '../status-id.ts';
import type { WireRecord } from '../wire-reader.ts';
import { asArray, asRecord, readName, readText, readTs } from '../wire-reader.ts';

export interface ParsedPosts {
  /** Oldest first. */
  posts: Post[];
  skipped: SkippedItem[];
}

export function parseTweets(tweets: readonly unknown[], account: Account): ParsedPosts {
  const posts: Post[] = [];
  const skipped: SkippedItem[] = [];
  for (const tweet of tweets) {
    const post = parseTweet(tweet, account);
    if ('reason' in post) skipped.push(post);
    else posts.push(post);
  }
  posts.sort((left, right) => left.createdTs - right.createdTs || compareIds(left.postId, right.postId));
  return { posts, skipped };
}

export function parseTweet(value: unknown, account: Account): Post | SkippedItem {
  const tweet = asRecord(value);
  const postId = tweet && readName(tweet, 'id');
  if (!tweet || !postId || !isStatusId(postId)) return { what: 'a post', reason: 'it has no usable id' };
  const authorId = readName(tweet, 'author_id');
  if (authorId !== null && authorId !== account.platformUserId) {
    return { what: `post ${postId}`, reason: `it is by ${authorId}, not by the account` };
  }
  const rootPostId = readRootId(tweet, postId);
  const createdTs = readCreatedTs(tweet, postId, rootPostId);
  if (createdTs === null) return { what: `post ${postId}`, reason: 'it has no creation time' };
  return {
    accountId: account.accountId,
    postId,
    createdTs,
    text: readFullText(tweet),
    ...readFlags(tweet, account),
    rootPostId,
  };
}

/** The id knows the millisecond, created_at only the second. An edited post dates from its first version. */
function readCreatedTs(tweet: WireRecord, postId: string, rootPostId: string): number | null {
  const idTs = statusIdTs(rootPostId, SNOWFLAKE_IDS);
  const statedTs = readTs(tweet, 'created_at');
  if (statedTs === null || rootPostId !== postId) return idTs;
  return idTs !== null && Math.abs(idTs - statedTs) <= 1_000 ? idTs : statedTs;
}

function readFullText(tweet: WireRecord): string | null {
  const note = asRecord(tweet.note_tweet);
  return (note && readText(note, 'text')) ?? readText(tweet, 'text');
}

function readFlags(
  tweet: WireRecord,
  account: Account,
): Pick<Post, 'isReply' | 'isQuote' | 'isRetweet' | 'isSelfReply' | 'isCommunity'> {
  const types = readReferenceTypes(tweet);
  const repliedToUserId = readName(tweet, 'in_reply_to_user_id');
  const isReply = types.has('replied_to') || repliedToUserId !== null || isReplyById(tweet);
  return {
    isReply,
    isQuote: types.has('quoted'),
    isRetweet: types.has('retweeted'),
    isSelfReply: isReply && repliedToUserId === account.platformUserId,
    isCommunity: readName(tweet, 'community_id') !== null,
  };
}

function isReplyById(tweet: WireRecord): boolean {
  return (
    readName(tweet, 'in_reply_to_tweet_id') !== null || readName(tweet, 'in_reply_to_status_id') !== null
  );
}

function readReferenceTypes(tweet: WireRecord): Set<string> {
  const references = asArray(tweet.referenced_tweets) ?? [];
  return new Set(references.flatMap((item) => readText(asRecord(item) ?? {}, 'type') ?? []));
}

/** The oldest id of the edit chain, so that an edited post counts once. */
function readRootId(tweet: WireRecord, postId: string): string {
  const chain = (asArray(tweet.edit_history_tweet_ids) ?? []).filter(
    (id): id is string => typeof id === 'string' && isStatusId(id),
  );
  return chain.reduce((root, id) => (compareIds(id, root) < 0 ? id : root), postId);
}

/** A pushed reply that does not say to whom: whether it counts cannot be told from it alone. */
export function isReplyToUnknown(payload: WireRecord): boolean {
  const types = readReferenceTypes(payload);
  return (
    (types.has('replied_to') || isReplyById(payload)) && readName(payload, 'in_reply_to_user_id') === null
  );
}

export function parseDeletedId(payload: WireRecord): string | null {
  const id = readName(payload, 'id') ?? readName(payload, 'post_id') ?? readName(payload, 'tweet_id');
  return id !== null && isStatusId(id) ? id : null;
}
