// Selects the post fields of a request, by the specification's names or the older names that still work.

import type { Answer } from './answer.ts';
import { invalid } from './x-problems.ts';
import type { Dialect } from './x-wire.ts';

/** Values of `post.fields` in the OpenAPI document. It lacks authors, references and edit history. */
const POST_FIELDS = [
  ...['article', 'attachments', 'card_uri', 'community_id', 'context_annotations', 'conversation_id'],
  ...['created_at', 'display_text_range', 'edit_controls', 'entities', 'geo', 'id', 'lang'],
  ...['media_metadata', 'note_post', 'possibly_sensitive', 'public_metrics', 'reply_settings'],
  ...['source', 'text', 'withheld'],
];
const EXPANSIONS = [
  ...['article.cover_media', 'article.media_entities', 'attachments.media_keys', 'attachments.poll_ids'],
  ...['author_id', 'edit_history_post_ids', 'entities.mentions.username', 'geo.place_id'],
  ...['in_reply_to_user_id', 'referenced_posts'],
];

export interface Grant {
  dialect: Dialect;
  fields: string[];
  expansions: string[];
}

/** Errors include the parameter name, as on the platform. */
export function readGrant(query: URLSearchParams): Grant | Answer {
  if (!query.has('post.fields') && !query.has('expansions'))
    return { dialect: 'tweet', fields: listOf(query, 'tweet.fields'), expansions: [] };
  const fields = listOf(query, 'post.fields');
  const expansions = listOf(query, 'expansions');
  const strange =
    findStrange('post.fields', fields, POST_FIELDS) ?? findStrange('expansions', expansions, EXPANSIONS);
  return strange ?? { dialect: 'post', fields, expansions };
}

function findStrange(parameter: string, asked: readonly string[], known: readonly string[]): Answer | null {
  const strange = asked.find((name) => !known.includes(name));
  if (strange === undefined) return null;
  const message = `The \`${parameter}\` query parameter value [${strange}] is not one of [${known.join(',')}]`;
  return invalid(parameter, message);
}

function listOf(query: URLSearchParams, name: string): string[] {
  return (query.get(name) ?? '').split(',').filter(Boolean);
}
