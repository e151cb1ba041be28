// Converts a Mastodon status to a post. Edits keep their id on Mastodon, so every status is its own root.

import type { Account } from '../../domain/account.ts';
import { compareIds, type Post } from '../../domain/post.ts';
import { SourceError } from '../../runtime/errors.ts';
import { htmlToText } from '../mirrored-post.ts';
import type { SkippedItem } from '../source.ts';
import { MASTODON_IDS, statusIdTs } from '../status-id.ts';
import {
  asArray,
  asRecord,
  readName,
  readText,
  readTs,
  ShapeError,
  type WireRecord,
} from '../wire-reader.ts';

export function parseStatuses(
  statuses: readonly unknown[],
  account: Account,
  nowTs: number,
): { posts: Post[]; skipped: SkippedItem[]; parents: Map<string, string> } {
  const posts: Post[] = [];
  const skipped: SkippedItem[] = [];
  const parents = new Map<string, string>();
  for (const status of statuses) {
    const post = parseStatus(status, account, nowTs);
    if ('reason' in post) skipped.push(post);
    else {
      posts.push(post);
      const parentId = readName(asRecord(status)!, 'in_reply_to_id');
      if (parentId) parents.set(post.postId, parentId);
    }
  }
  posts.sort((left, right) => left.createdTs - right.createdTs || compareIds(left.postId, right.postId));
  return { posts, skipped, parents };
}

/** Decimal on Mastodon and Truth Social, letters and digits on compatible servers. */
const STATUS_ID = /^[0-9A-Za-z]{1,64}$/;
const DECIMAL = /^\d+$/;

/** A removed status no longer says what it was, so it does not count but widens what the count can be. */
const UNKNOWN_KIND = {
  text: null,
  isReply: true,
  isSelfReply: false,
  isQuote: false,
  isRetweet: false,
  isCommunity: false,
  isDoubtful: true,
};

export function parseStatus(value: unknown, account: Account, nowTs: number): Post | SkippedItem {
  const status = asRecord(value);
  const postId = status && readName(status, 'id');
  if (!status || !postId || !STATUS_ID.test(postId))
    return { what: 'a status', reason: 'it has no usable id' };
  const authorId = readName(asRecord(status.account) ?? {}, 'id');
  if (authorId !== null && account.platformUserId !== '' && authorId !== account.platformUserId) {
    return { what: `status ${postId}`, reason: `it is by ${authorId}, not by the account` };
  }
  const createdTs = readTs(status, 'created_at') ?? statusIdTs(postId, MASTODON_IDS);
  if (createdTs === null) return { what: `status ${postId}`, reason: 'it has no creation time' };
  const reblog = asRecord(status.reblog);
  const base = { accountId: account.accountId, postId, createdTs, rootPostId: postId };
  if (isTombstone(status)) return { ...base, ...UNKNOWN_KIND, deletedTs: nowTs };
  return {
    ...base,
    text: reblog ? readReblogText(reblog) : readContent(status),
    ...readReplyFlags(status, authorId ?? account.platformUserId),
    isQuote: asRecord(status.quote) !== null || readName(status, 'quote_id') !== null,
    isRetweet: reblog !== null,
    isCommunity: asRecord(status.group) !== null,
  };
}

function readReplyFlags(
  status: WireRecord,
  authorId: string,
): Pick<Post, 'isReply' | 'isSelfReply' | 'isDoubtful'> {
  const repliedToId = readName(status, 'in_reply_to_account_id');
  // If the parent post was deleted, only its author is known.
  const isReply = readName(status, 'in_reply_to_id') !== null || repliedToId !== null;
  // Without a usable author it may be a reply to itself, which counts.
  const isDoubtful =
    isReply && (repliedToId === null || DECIMAL.test(repliedToId) !== DECIMAL.test(authorId));
  return { isReply, isSelfReply: isReply && repliedToId === authorId, ...(isDoubtful && { isDoubtful }) };
}

/** Media-only statuses have blank content, which becomes an empty text. */
function readContent(status: WireRecord): string | null {
  const html = readText(status, 'content');
  return html === null ? null : htmlToText(html);
}

function readReblogText(reblog: WireRecord): string {
  const acct = readName(asRecord(reblog.account) ?? {}, 'acct') ?? 'unknown';
  return `RT @${acct}: ${readContent(reblog) ?? ''}`.trim();
}

// Payloads we read from Mastodon-compatible servers.

/** null if the response is not a list of statuses. */
export function readStatusList(answer: unknown): readonly unknown[] | null {
  return asArray(answer);
}

export function readAccountId(answer: unknown): string | null {
  const record = asRecord(answer);
  return record && readName(record, 'id');
}

export function readStatusId(status: unknown): string | null {
  const record = asRecord(status);
  return record && readName(record, 'id');
}

/** Truth Social keeps a removed status as one that only says so: `tombstone: { reason }`. */
export function isTombstone(status: unknown): boolean {
  return (asRecord(status)?.tombstone ?? null) !== null;
}

/** A JSON response comes from the server itself; HTML with the same status comes from a proxy. */
export function isGone(error: unknown): boolean {
  return error instanceof SourceError && !error.isRetryable && (error.status === 404 || error.status === 410);
}

export function unexpectedShape(what: string): SourceError {
  return new ShapeError(`mastodon: ${what} has an unexpected shape`);
}
