// X API post -> domain post.

import type { Account } from '../../domain/account.ts';
import type { Post } from '../../domain/post.ts';
import { compareIds } from '../../domain/post-id.ts';
import type { SkippedItem } from '../source.ts';
import { isStatusId, SNOWFLAKE_IDS, statusIdTs } from '../status-id.ts';
import type { WireRecord } from '../wire-reader.ts';
import { asArray, asRecord, readName, readText, readTs } from '../wire-reader.ts';
import { readEither } from './dialects.ts';

export interface ParsedPosts {
  /** Oldest first. */
  posts: Post[];
  skipped: SkippedItem[];
  /** Per post id, the post that its conversation began with. */
  roots: Map<string, string>;
  /** Every id of the account's own posts, all versions of edited ones. */
  ownIds: string[];
}

export function parseTweets(tweets: readonly unknown[], account: Account): ParsedPosts {
  const posts: Post[] = [];
  const skipped: SkippedItem[] = [];
  const roots = new Map<string, string>();
  const ownIds: string[] = [];
  for (const tweet of tweets) {
    const post = parseTweet(tweet, account);
    if ('reason' in post) {
      skipped.push(post);
      continue;
    }
    posts.push(post);
    const record = asRecord(tweet)!;
    const conversationId = readName(record, 'conversation_id');
    if (conversationId) roots.set(post.postId, conversationId);
    ownIds.push(post.postId, ...readChain(record));
  }
  posts.sort((left, right) => left.createdTs - right.createdTs || compareIds(left.postId, right.postId));
  return { posts, skipped, roots, ownIds };
}

/** Which of the fields that decide have been seen to come under the names that were asked for. */
export interface GivenFields {
  references: boolean;
  conversations: boolean;
}

export function givenBy(tweets: readonly unknown[]): GivenFields {
  return { references: tweets.some(hasReferences), conversations: tweets.some(hasConversation) };
}

/**
 * Why it cannot be told what a post is; null when it can. Read without the fields that decide, a reply would become
 * a counted original, so that such a page is no page at all. Where the fields do come, a post without them is a strange
 * one among others: it does not hold up the page it stands on.
 */
export function findUndecidable(tweets: readonly unknown[], given = givenBy(tweets)): string | null {
  for (const value of tweets) {
    const tweet = asRecord(value);
    const postId = tweet && readName(tweet, 'id');
    if (!tweet || !postId) continue;
    if (saysNothingOfItself(tweet) && !given.conversations) {
      return `post ${postId} came without conversation_id and references: whether it is a reply cannot be told`;
    }
    // People write 'RT @…' by hand too: that is an original.
    if (!hasReferences(tweet) && !given.references && /^RT @/.test(readText(tweet, 'text') ?? '')) {
      return `post ${postId} is a repost by its text, but came without references`;
    }
  }
  return null;
}

function saysNothingOfItself(tweet: WireRecord): boolean {
  return !hasConversation(tweet) && !hasReferences(tweet) && !isReplyTo(tweet);
}

function hasConversation(tweet: unknown): boolean {
  return readName(asRecord(tweet) ?? {}, 'conversation_id') !== null;
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
    ...readFlags(tweet, account, postId),
    rootPostId,
    ...(rootPostId === postId && readChain(tweet).length <= 1 ? {} : { versionIds: readChain(tweet) }),
    // By its words alone it may be a reply or not: that is said, and the count carries its bounds.
    ...(saysNothingOfItself(tweet) ? { isDoubtful: true } : {}),
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
  const note = asRecord(readEither(tweet, 'note_post', 'note_tweet'));
  return (note && readText(note, 'text')) ?? readText(tweet, 'text');
}

function readFlags(
  tweet: WireRecord,
  account: Account,
  postId: string,
): Pick<Post, 'isReply' | 'isQuote' | 'isRetweet' | 'isSelfReply' | 'isCommunity'> {
  const types = readReferenceTypes(tweet);
  const looksLikeReply = saysNothingOfItself(tweet) && /^\s*@\w/.test(readText(tweet, 'text') ?? '');
  const isReply =
    types.has('replied_to') || isReplyTo(tweet) || isUnderAnother(tweet, postId) || looksLikeReply;
  return {
    isReply,
    isQuote: types.has('quoted'),
    isRetweet: types.has('retweeted'),
    isSelfReply: isReply && readName(tweet, 'in_reply_to_user_id') === account.platformUserId,
    isCommunity: readName(tweet, 'community_id') !== null,
  };
}

function isReplyTo(tweet: WireRecord): boolean {
  return ['in_reply_to_user_id', 'in_reply_to_post_id', 'in_reply_to_tweet_id', 'in_reply_to_status_id'].some(
    (key) => readName(tweet, key) !== null,
  );
}

/** A conversation that began with another post: this one answers somebody, whatever else is said. */
function isUnderAnother(tweet: WireRecord, postId: string): boolean {
  const conversationId = readName(tweet, 'conversation_id');
  return conversationId !== null && conversationId !== postId && !readChain(tweet).includes(conversationId);
}

function hasReferences(tweet: unknown): boolean {
  return asArray(readReferences(asRecord(tweet) ?? {})) !== null;
}

function readReferences(tweet: WireRecord): unknown {
  return readEither(tweet, 'referenced_posts', 'referenced_tweets');
}

function readReferenceTypes(tweet: WireRecord): Set<string> {
  const references = asArray(readReferences(tweet)) ?? [];
  return new Set(references.flatMap((item) => readText(asRecord(item) ?? {}, 'type') ?? []));
}

function readChain(tweet: WireRecord): string[] {
  const chain = asArray(readEither(tweet, 'edit_history_post_ids', 'edit_history_tweet_ids')) ?? [];
  return chain.filter((id): id is string => typeof id === 'string' && isStatusId(id));
}

/** The oldest id of the edit chain, so that an edited post counts once. */
function readRootId(tweet: WireRecord, postId: string): string {
  return readChain(tweet).reduce((root, id) => (compareIds(id, root) < 0 ? id : root), postId);
}

/** A pushed post from which alone it cannot be told whether it counts: it says too little, or not to whom it replies. */
export function isInNeedOfLookUp(payload: WireRecord): boolean {
  if (findUndecidable([payload]) !== null) return true;
  const isReply = readReferenceTypes(payload).has('replied_to') || isReplyTo(payload);
  return isReply && readName(payload, 'in_reply_to_user_id') === null;
}

export function parseDeletedId(payload: WireRecord): string | null {
  const id = readName(payload, 'id') ?? readName(payload, 'post_id') ?? readName(payload, 'tweet_id');
  return id !== null && isStatusId(id) ? id : null;
}
