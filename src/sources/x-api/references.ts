// A post's references: the posts it replies to, quotes or reposts, and the recipient of a reply.

import { compareIds } from '../../domain/post.ts';
import { isStatusId } from '../status-id.ts';
import { asArray, asRecord, readName, readText, type WireRecord } from '../wire-reader.ts';
import { readEither } from './dialects.ts';

const REPLY_FIELDS = [
  'in_reply_to_user_id',
  'in_reply_to_post_id',
  'in_reply_to_tweet_id',
  'in_reply_to_status_id',
];

export function hasReferences(post: WireRecord): boolean {
  return asArray(readReferences(post)) !== null;
}

export function readReferenceTypes(post: WireRecord): Set<string> {
  const references = asArray(readReferences(post)) ?? [];
  return new Set(references.flatMap((item) => readText(asRecord(item) ?? {}, 'type') ?? []));
}

const REFERENCE_TYPES: ReadonlySet<string> = new Set(['replied_to', 'quoted', 'retweeted']);

/** The references have an unknown form or type, so the kind of post is unknown. */
export function hasStrangeReferences(post: WireRecord): boolean {
  const references = readReferences(post);
  if (references === null || references === undefined) return false;
  const list = asArray(references);
  if (!list) return true;
  return list.some((item) => !REFERENCE_TYPES.has(readText(asRecord(item) ?? {}, 'type') ?? ''));
}

/** Id of the parent post; null if the post does not give it. */
export function readParentId(post: WireRecord): string | null {
  const references = (asArray(readReferences(post)) ?? []).map((item) => asRecord(item) ?? {});
  const parent = references.find((item) => readText(item, 'type') === 'replied_to');
  return (parent && readName(parent, 'id')) ?? null;
}

export function readRepliedToUser(post: WireRecord): string | null {
  return readName(post, 'in_reply_to_user_id');
}

export function isReplyTo(post: WireRecord): boolean {
  return REPLY_FIELDS.some((key) => readName(post, key) !== null);
}

export function isReply(post: WireRecord): boolean {
  return readReferenceTypes(post).has('replied_to') || isReplyTo(post) || isInOtherConversation(post);
}

/** True if another post started its conversation, which makes it a reply. */
function isInOtherConversation(post: WireRecord): boolean {
  const conversationId = readName(post, 'conversation_id');
  return (
    conversationId !== null &&
    conversationId !== readName(post, 'id') &&
    !readChain(post).includes(conversationId)
  );
}

export function readChain(post: WireRecord): string[] {
  const chain = asArray(readEither(post, 'edit_history_post_ids', 'edit_history_tweet_ids')) ?? [];
  return chain.filter((id): id is string => typeof id === 'string' && isStatusId(id));
}

/** The oldest id of the edit chain, so that an edited post counts once. */
export function readRootId(post: WireRecord, postId: string): string {
  return readChain(post).reduce((root, id) => (compareIds(id, root) < 0 ? id : root), postId);
}

function readReferences(post: WireRecord): unknown {
  return readEither(post, 'referenced_posts', 'referenced_tweets');
}
