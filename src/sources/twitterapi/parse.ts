// Converts twitterapi.io posts. Field names are camelCase; times use the platform's old format.

import type { Account } from '../../domain/account.ts';
import { compareIds, type Post } from '../../domain/post.ts';
import type { SourceError } from '../../runtime/errors.ts';
import type { SkippedItem } from '../source.ts';
import { isStatusId, SNOWFLAKE_IDS, statusIdTs } from '../status-id.ts';
import {
  asArray,
  asRecord,
  parseTs,
  readFlag,
  readName,
  readText,
  ShapeError,
  type WireRecord,
} from '../wire-reader.ts';

export interface ParsedPage {
  posts: Post[];
  skipped: SkippedItem[];
  roots: Map<string, string>;
}

export function parsePage(tweets: readonly unknown[], account: Account): ParsedPage {
  const parsed: ParsedPage = { posts: [], skipped: [], roots: new Map() };
  for (const tweet of tweets) {
    const post = parseTweet(tweet, account);
    if ('reason' in post) parsed.skipped.push(post);
    else {
      parsed.posts.push(post);
      const rootId = readName(asRecord(tweet)!, 'conversationId');
      if (rootId) parsed.roots.set(post.postId, rootId);
    }
  }
  parsed.posts.sort(
    (left, right) => left.createdTs - right.createdTs || compareIds(left.postId, right.postId),
  );
  return parsed;
}

function parseTweet(value: unknown, account: Account): Post | SkippedItem {
  const tweet = asRecord(value);
  const postId = tweet && readName(tweet, 'id');
  if (!tweet || !postId || !isStatusId(postId)) return { what: 'a post', reason: 'it has no usable id' };
  if (isByAccount(tweet, account) === false) {
    return { what: `post ${postId}`, reason: 'it is by another author' };
  }
  const isReply = readReply(tweet, postId);
  const rootPostId = isReply ? postId : readEditedId(tweet, postId);
  const createdTs = statusIdTs(rootPostId, SNOWFLAKE_IDS) ?? readTime(tweet);
  if (createdTs === null) return { what: `post ${postId}`, reason: 'it has no creation time' };
  return {
    accountId: account.accountId,
    postId,
    createdTs,
    text: readText(tweet, 'text'),
    isReply,
    isSelfReply: isReply && isToSelf(tweet, account) === true,
    isQuote: asRecord(tweet.quoted_tweet) !== null,
    isRetweet: asRecord(tweet.retweeted_tweet) !== null,
    isCommunity: readName(tweet, 'communityId') !== null,
    rootPostId,
    ...(rootPostId === postId ? {} : { versionIds: [rootPostId, postId] }),
    ...(isReply && (isToSelf(tweet, account) === null || readFlag(tweet, 'isReply') === false)
      ? { isDoubtful: true }
      : {}),
  };
}

/** Compares ids if both are known, otherwise user names; null if the post does not give its author. */
export function isByAccount(tweet: WireRecord, account: Account): boolean | null {
  const author = asRecord(tweet.author) ?? {};
  const authorId = readName(author, 'id');
  if (authorId !== null && account.platformUserId) return authorId === account.platformUserId;
  const userName = readName(author, 'userName');
  if (userName === null) return null;
  return userName.toLowerCase() === account.handle.toLowerCase();
}

/**
 * A post that is not a reply started its conversation. If the conversation id is an earlier post, that is the
 * first version of this post. A later version with its own conversation looks just like a new post.
 */
function readEditedId(tweet: WireRecord, postId: string): string {
  const conversationId = readName(tweet, 'conversationId');
  const isEarlier =
    conversationId !== null && isStatusId(conversationId) && compareIds(conversationId, postId) < 0;
  return isEarlier ? conversationId : postId;
}

/** Without the deciding fields a reply would count as an original, so the whole page is rejected. */
function readReply(tweet: WireRecord, postId: string): boolean {
  const flag = readFlag(tweet, 'isReply');
  const repliedTo = readName(tweet, 'inReplyToId') ?? readName(tweet, 'inReplyToUserId');
  const conversationId = readName(tweet, 'conversationId');
  if (flag === null && repliedTo === null && conversationId === null) {
    throw unexpectedShape(
      `post ${postId} came without isReply, inReplyToId and conversationId: whether it is a reply is unknown`,
    );
  }
  return flag === true || repliedTo !== null;
}

/** null if the post does not say whom it replies to. */
function isToSelf(tweet: WireRecord, account: Account): boolean | null {
  const userId = readName(tweet, 'inReplyToUserId');
  const isUsable = userId !== null && isStatusId(userId) && account.platformUserId !== '';
  if (isUsable) return userId === account.platformUserId;
  const userName = readName(tweet, 'inReplyToUsername');
  return userName === null ? null : userName.toLowerCase() === account.handle.toLowerCase();
}

/** 'Tue Jun 02 04:41:03 +0000 2026', or ISO. */
function readTime(tweet: WireRecord): number | null {
  const value = readText(tweet, 'createdAt') ?? '';
  const isoTs = parseTs(value);
  if (isoTs !== null) return isoTs;
  const ts = Date.parse(value);
  return Number.isNaN(ts) ? null : ts;
}

export function unexpectedShape(what: string): SourceError {
  return new ShapeError(`twitterapi: ${what}`);
}

export interface TwitterapiPage {
  tweets: readonly unknown[];
  nextCursor: string | null;
}

/** null if the response is not a list of posts. Some responses nest the list one level deeper. */
export function readPage(answer: unknown): TwitterapiPage | null {
  const outer = asRecord(answer);
  // Failures also come with status 200 and an empty list.
  if (outer && readName(outer, 'status')?.toLowerCase() === 'error') return null;
  const inner = outer && (asRecord(outer.data) ?? outer);
  const tweets = outer && (asArray(inner?.tweets) ?? asArray(outer.tweets) ?? asArray(outer.data));
  if (!outer || !inner || !tweets) return null;
  const next = readName(outer, 'next_cursor') ?? readName(inner, 'next_cursor');
  const hasNext = readFlag(outer, 'has_next_page') ?? readFlag(inner, 'has_next_page') ?? next !== null;
  // Taking the page for the last one would lose the others.
  if (hasNext && next === null) throw unexpectedShape('has_next_page came without next_cursor');
  return { tweets, nextCursor: hasNext ? next : null };
}
