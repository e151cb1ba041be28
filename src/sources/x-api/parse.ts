// Converts an X API post to a domain post.

import type { Account } from '../../domain/account.ts';
import { compareIds, type Post } from '../../domain/post.ts';
import type { SkippedItem } from '../source.ts';
import { isStatusId, SNOWFLAKE_IDS, statusIdTs } from '../status-id.ts';
import { asRecord, readName, readText, readTs, type WireRecord } from '../wire-reader.ts';
import { findRecipient, findUndecidable, lacksReplyFields } from './decidable.ts';
import { readEither } from './dialects.ts';
import { hasStrangeReferences, isReply, readChain, readReferenceTypes, readRootId } from './references.ts';

/** Authors of included posts, by post id. */
type Authors = ReadonlyMap<string, string>;

const NO_AUTHORS: Authors = new Map();

export interface ParsedPosts {
  /** Oldest first. */
  posts: Post[];
  skipped: SkippedItem[];
  /** Root of the conversation, by post id. */
  roots: Map<string, string>;
  /** Ids of all the account's own posts, including every version. */
  ownIds: string[];
}

export function parseTweets(
  tweets: readonly unknown[],
  account: Account,
  authors: Authors = NO_AUTHORS,
): ParsedPosts {
  const posts: Post[] = [];
  const skipped: SkippedItem[] = [];
  const roots = new Map<string, string>();
  const ownIds: string[] = [];
  for (const tweet of tweets) {
    const post = parseTweet(tweet, account, authors);
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

export function parseTweet(
  value: unknown,
  account: Account,
  authors: Authors = NO_AUTHORS,
): Post | SkippedItem {
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
    ...readFlags(tweet, account, authors),
    rootPostId,
    ...(rootPostId === postId && readChain(tweet).length <= 1 ? {} : { versionIds: readChain(tweet) }),
    // If deciding fields are missing, the post is doubtful and the count gets bounds.
    ...(isLeftOpen(tweet, account, authors) ? { isDoubtful: true } : {}),
  };
}

/** The id has milliseconds, created_at only seconds. An edited post has the time of its first version. */
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
  authors: Authors,
): Pick<Post, 'isReply' | 'isQuote' | 'isRetweet' | 'isSelfReply' | 'isCommunity'> {
  const types = readReferenceTypes(tweet);
  const looksLikeReply = lacksReplyFields(tweet) && /^\s*@\w/.test(readText(tweet, 'text') ?? '');
  const replies = isReply(tweet) || looksLikeReply;
  return {
    isReply: replies,
    isQuote: types.has('quoted'),
    isRetweet: types.has('retweeted'),
    isSelfReply: replies && findRecipient(tweet, authors) === account.platformUserId,
    isCommunity: readName(tweet, 'community_id') !== null,
  };
}

function isLeftOpen(tweet: WireRecord, account: Account, authors: Authors): boolean {
  if (lacksReplyFields(tweet) || hasStrangeReferences(tweet)) return true;
  const needsRecipient = needsRecipients(account) && isReply(tweet);
  return needsRecipient && findRecipient(tweet, authors) === null;
}

/** Whether self-replies count differently from other replies. */
export function needsRecipients({ countingRule }: Account): boolean {
  return countingRule.selfReplies !== countingRule.replies;
}

/** Whether a pushed post must be looked up: it is incomplete or lacks its recipient. */
export function isInNeedOfLookUp(payload: WireRecord): boolean {
  return findUndecidable([payload], { recipients: true, authors: NO_AUTHORS }) !== null;
}

export function parseDeletedId(payload: WireRecord): string | null {
  const id = readName(payload, 'id') ?? readName(payload, 'post_id') ?? readName(payload, 'tweet_id');
  return id !== null && isStatusId(id) ? id : null;
}
