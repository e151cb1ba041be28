// Draws one post from an account's habits: kind, edits and deletion.

import { isCountedBy } from '../../src/domain/counting-rule.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/domain/units.ts';
import type { Random } from '../../src/runtime/random.ts';
import type { SimulatorAccountParameters } from '../account-parameters.ts';
import { makeMastodonId, makeSnowflake } from '../platform-ids.ts';
import type { PostEdit, PostKind, SimulatorPost } from './simulator-post.ts';
import { noEdits } from './simulator-post.ts';

/** How long after another user's post the account replies to it. */
export const REPLY_AFTER_MS = 7 * MINUTE_MS;

export function drawKind(parameters: SimulatorAccountParameters, random: Random): PostKind {
  const { mix } = parameters;
  let at = random.uniform() * (mix.reply + mix.repost + mix.quote + mix.original);
  for (const kind of ['reply', 'repost', 'quote', 'original'] as const) {
    at -= mix[kind];
    if (at < 0) return kind;
  }
  return 'original';
}

/** `thread` is the post that a self-reply continues. */
export function drawPost(
  parameters: SimulatorAccountParameters,
  random: Random,
  createdTs: number,
  kind: PostKind,
  thread: SimulatorPost | null,
): SimulatorPost {
  const makeId = parameters.platform === 'X' ? makeSnowflake : makeMastodonId;
  const isQuoteReply = kind === 'reply' && random.uniform() < 0.02;
  const isCommunity = kind !== 'self-reply' && random.uniform() < parameters.communityShare;
  const deletedTs = drawDeletion(parameters, random, createdTs);
  const id = makeId(createdTs, random.uint32());
  const replyToId =
    kind === 'reply' ? makeId(createdTs - REPLY_AFTER_MS, random.uint32()) : (thread?.id ?? null);
  const conversation = kind === 'self-reply' ? ownerOf(thread) : undefined;
  const post: SimulatorPost = {
    accountId: parameters.accountId,
    id,
    createdTs,
    visibleTs: createdTs,
    kind,
    isQuoteReply,
    isCommunity,
    replyToId,
    conversationId: kind === 'self-reply' ? (thread?.conversationId ?? id) : (replyToId ?? id),
    ...(conversation ? { conversation } : {}),
    edits: drawEdits(parameters, random, createdTs, kind, deletedTs, makeId),
    deletedTs,
    isCounted: isCountedKind(parameters, kind, isQuoteReply, isCommunity, conversation),
    firstServedTs: null,
  };
  return post;
}

function ownerOf(thread: SimulatorPost | null): 'own' | 'other' {
  if (thread === null) return 'own';
  return thread.kind === 'reply' ? 'other' : (thread.conversation ?? 'own');
}

function isCountedKind(
  parameters: SimulatorAccountParameters,
  kind: PostKind,
  isQuoteReply: boolean,
  isCommunity: boolean,
  conversation?: 'own' | 'other',
): boolean {
  return isCountedBy(parameters.countingRule, {
    isReply: kind === 'reply' || kind === 'self-reply',
    isSelfReply: kind === 'self-reply',
    isQuote: kind === 'quote' || isQuoteReply,
    isRetweet: kind === 'repost',
    isCommunity,
    ...(conversation ? { conversation } : {}),
  });
}

/** Of deleted posts, a fifth last seconds, a third minutes, and the rest up to a day and a half. */
function drawDeletion(
  parameters: SimulatorAccountParameters,
  random: Random,
  createdTs: number,
): number | null {
  const isDeleted = random.uniform() < parameters.deleteShare;
  const how = random.uniform();
  const share = random.uniform();
  if (!isDeleted) return null;
  if (how < 0.2) return createdTs + Math.round((3 + 6 * share) * SECOND_MS);
  if (how < 0.53) return createdTs + Math.round((0.5 + 9 * share) * MINUTE_MS);
  return createdTs + Math.round((0.3 + 35 * share) * HOUR_MS);
}

function drawEdits(
  parameters: SimulatorAccountParameters,
  random: Random,
  createdTs: number,
  kind: PostKind,
  deletedTs: number | null,
  makeId: (ts: number, salt: number) => string,
): readonly PostEdit[] {
  if (random.uniform() >= parameters.editShare || kind === 'repost') return noEdits();
  const edits: PostEdit[] = [];
  let editedTs = createdTs;
  const times = random.uniform() < 0.25 ? 2 : 1;
  for (let i = 0; i < times; i++) {
    editedTs += Math.round((0.5 + 20 * random.uniform()) * MINUTE_MS);
    if (deletedTs !== null && editedTs >= deletedTs) break;
    edits.push({ id: makeId(editedTs, random.uint32()), editedTs });
  }
  return edits;
}
