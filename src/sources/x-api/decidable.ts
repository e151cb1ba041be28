// Whether a page has the fields needed for counting. Without them a reply or a quote would look like an
// original and a self-reply would not count, so the page is rejected and the missing fields are reported.

import type { WireRecord } from '../wire-reader.ts';
import { asRecord, readName, readText } from '../wire-reader.ts';
import { hasReferences, isReply, isReplyTo, readParentId, readRepliedToUser } from './references.ts';

/** Fields seen so far under the requested names. */
export interface GivenFields {
  references: boolean;
  conversations: boolean;
  repliedToUsers: boolean;
}

/** Facts that the account's counting rule needs, besides whether a post is a reply. */
export interface CountingNeeds {
  /** True if self-replies and other replies count differently. */
  recipients: boolean;
  /** Authors of included posts, by id. The author of an included parent is also the recipient. */
  authors: ReadonlyMap<string, string>;
}

export const NOTHING_GIVEN: GivenFields = { references: false, conversations: false, repliedToUsers: false };

export function givenBy(posts: readonly unknown[], before: GivenFields = NOTHING_GIVEN): GivenFields {
  const records = posts.map((post) => asRecord(post) ?? {});
  return {
    references: before.references || records.some(hasReferences),
    conversations: before.conversations || records.some(hasConversation),
    repliedToUsers: before.repliedToUsers || records.some((post) => readRepliedToUser(post) !== null),
  };
}

/**
 * Why the page cannot be counted; null if it can. If the server does send the fields, a single post without
 * them is doubtful and does not block its page.
 */
export function findUndecidable(
  posts: readonly unknown[],
  needs: CountingNeeds,
  given = givenBy(posts),
): string | null {
  const readable = posts.map((post) => asRecord(post) ?? {}).filter((post) => readName(post, 'id') !== null);
  return (
    findMissingConversations(readable, given) ??
    findMissingReferences(readable, given) ??
    (needs.recipients ? findMissingRecipients(readable, needs, given) : null) ??
    findIgnoredExpansions(readable)
  );
}

/** Has neither a conversation nor a reference, so a reply would look like an original. */
export function lacksReplyFields(post: WireRecord): boolean {
  return !hasConversation(post) && !hasReferences(post) && !isReplyTo(post);
}

function hasConversation(post: WireRecord): boolean {
  return readName(post, 'conversation_id') !== null;
}

function findMissingConversations(posts: readonly WireRecord[], given: GivenFields): string | null {
  const bare = given.conversations ? undefined : posts.find(lacksReplyFields);
  return bare
    ? describe(bare, 'conversation_id and referenced_posts', 'whether it is a reply is unknown')
    : null;
}

/** People also type "RT @" by hand; such a post is fine once the server is known to send references. */
function findMissingReferences(posts: readonly WireRecord[], given: GivenFields): string | null {
  const isRepost = (post: WireRecord) => /^RT @/.test(readText(post, 'text') ?? '');
  const bare = given.references ? undefined : posts.find((post) => isRepost(post) && !hasReferences(post));
  return bare ? describe(bare, 'referenced_posts', 'only its text suggests a repost') : null;
}

function findMissingRecipients(
  posts: readonly WireRecord[],
  { authors }: CountingNeeds,
  given: GivenFields,
): string | null {
  const replies = posts.filter(isReply);
  const bare = replies.filter((post) => findRecipient(post, authors) === null);
  if (bare.length === 0 || (given.repliedToUsers && bare.length < replies.length)) return null;
  // A few replies to deleted users may lack it; a whole page of them means the field is no longer sent.
  if (given.repliedToUsers && bare.length < 3) return null;
  return describe(bare[0]!, 'in_reply_to_user_id', 'whether it is a self-reply is unknown');
}

/** The recipient of a reply: stated in the post, otherwise the author of its parent. */
export function findRecipient(post: WireRecord, authors: ReadonlyMap<string, string>): string | null {
  return readRepliedToUser(post) ?? authors.get(readParentId(post) ?? '') ?? null;
}

/** A server that honours expansions sends author_id on every post, so a page without any ignored them. */
function findIgnoredExpansions(posts: readonly WireRecord[]): string | null {
  const canQuote = (post: WireRecord) =>
    readName(post, 'author_id') !== null || hasReferences(post) || isReplyTo(post);
  if (posts.length === 0 || posts.some(canQuote)) return null;
  return describe(
    posts[0]!,
    'author_id, referenced_posts and in_reply_to_user_id',
    'the server ignores the requested expansions, so quotes, reposts and self-replies are unknown',
  );
}

function describe(post: WireRecord, fields: string, consequence: string): string {
  return `post ${readName(post, 'id')} came without ${fields}: ${consequence}`;
}
