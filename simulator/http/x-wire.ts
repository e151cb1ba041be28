// A post in X API v2 format with the requested fields.

import type { SimulatorAccountParameters } from '../account-parameters.ts';
import { snowflakeTs } from '../platform-ids.ts';
import { otherUserId, postText } from '../posts/post-text.ts';
import { type SimulatorPost, versionsAt } from '../posts/simulator-post.ts';
import { toIsoSeconds } from './answer.ts';

export interface PostVersion {
  post: SimulatorPost;
  /** 0 for the first version. */
  version: number;
  id: string;
  versionTs: number;
}

export function latestVersion(post: SimulatorPost, ts: number): PostVersion {
  const versions = versionsAt(post, ts);
  const last = versions.at(-1)!;
  return { post, version: versions.length - 1, id: last.id, versionTs: last.editedTs };
}

/** Field naming: the specification's names or the older ones. */
export type Dialect = 'post' | 'tweet';

export function allFields(dialect: Dialect): string[] {
  return [
    'created_at',
    'author_id',
    'conversation_id',
    `referenced_${dialect}s`,
    'in_reply_to_user_id',
    'community_id',
    'lang',
    'edit_controls',
    'public_metrics',
  ];
}

/** `granted` contains fields and expansions; an expansion also adds its id to the post. */
export function toTweet(
  account: SimulatorAccountParameters,
  { post, version, id, versionTs }: PostVersion,
  granted: readonly string[],
  nowTs: number,
  dialect: Dialect,
): Record<string, unknown> {
  const every: Record<string, unknown> = {
    created_at: toIsoSeconds(versionTs),
    author_id: account.platformUserId,
    conversation_id: post.conversationId,
    [`referenced_${dialect}s`]: references(post),
    in_reply_to_user_id: repliedTo(account, post),
    community_id: post.isCommunity ? '1506001001001001001' : undefined,
    lang: 'en',
    edit_controls: {
      edits_remaining: 5 - version,
      is_edit_eligible: post.kind !== 'repost',
      editable_until: toIsoSeconds(post.createdTs + 3_600_000),
    },
    public_metrics: {
      [dialect === 'post' ? 'repost_count' : 'retweet_count']: 0,
      reply_count: 0,
      like_count: 0,
      quote_count: 0,
      bookmark_count: 0,
      impression_count: 0,
    },
  };
  const historyName = `edit_history_${dialect}_ids`;
  const chosen = granted.filter((field) => every[field] !== undefined).map((field) => [field, every[field]]);
  return {
    id,
    text: postText(post, version),
    // Always present under the older names; an expansion in the specification.
    ...(dialect === 'tweet' || granted.includes(historyName)
      ? { [historyName]: versionsAt(post, nowTs).map((edit) => edit.id) }
      : {}),
    ...Object.fromEntries(chosen),
  };
}

/** Objects included by expansions: authors and referenced posts. */
export function toIncludes(
  posts: readonly Record<string, unknown>[],
  expansions: readonly string[],
): { includes?: Record<string, unknown> } {
  if (expansions.length === 0) return {};
  const texts = (name: string) => posts.flatMap((post) => (post[name] as string | undefined) ?? []);
  const users = new Set([...texts('author_id'), ...texts('in_reply_to_user_id')]);
  const others = posts.flatMap((post) => {
    const references = (post.referenced_posts ?? []) as { type: string; id: string }[];
    return references.map(({ type, id }) => ({
      id,
      text: 'A post that is referred to.',
      ...(type === 'replied_to' ? { author_id: post.in_reply_to_user_id } : {}),
    }));
  });
  return {
    includes: {
      ...(users.size > 0
        ? { users: [...users].map((id) => ({ id, name: `User ${id}`, username: `user_${id}` })) }
        : {}),
      ...(others.length > 0 ? { posts: others } : {}),
    },
  };
}

/** Ids of other people's posts are derived from the post's id. */
function references(post: SimulatorPost): { type: string; id: string }[] | undefined {
  const other = (BigInt(post.id) - (1n << 33n)).toString();
  const list: { type: string; id: string }[] = [];
  if (post.kind === 'reply' || post.kind === 'self-reply')
    list.push({ type: 'replied_to', id: post.replyToId ?? other });
  if (post.kind === 'quote' || post.isQuoteReply) list.push({ type: 'quoted', id: other });
  if (post.kind === 'repost') list.push({ type: 'retweeted', id: other });
  return list.length > 0 ? list : undefined;
}

function repliedTo(account: SimulatorAccountParameters, post: SimulatorPost): string | undefined {
  if (post.kind === 'self-reply') return account.platformUserId;
  return post.kind === 'reply' ? otherUserId(post) : undefined;
}

/** The post the account replied to, as posted by its author. */
export function toOthersTweet(reply: SimulatorPost, fields: readonly string[]): Record<string, unknown> {
  const id = reply.replyToId!;
  const every: Record<string, unknown> = {
    created_at: toIsoSeconds(snowflakeTs(id)),
    author_id: otherUserId(reply),
    conversation_id: id,
    lang: 'en',
  };
  const chosen = fields.filter((field) => every[field] !== undefined).map((field) => [field, every[field]]);
  return { id, text: 'A question from another user.', ...Object.fromEntries(chosen) };
}
