// Selects the post fields of a request, by the specification's names or the older names that still work.

import type { FaultSwitch } from '../faults/fault-switch.ts';
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
export function readGrant(faults: FaultSwitch, query: URLSearchParams, nowTs: number): Grant | Answer {
  const isOn = (name: string) => faults.valueAt(name, nowTs) !== null;
  if (query.has('post.fields') || query.has('expansions')) return readNew(query, isOn);
  // The older parameter is undocumented and may be ignored one day; then only default fields are returned.
  const asked = isOn('x-old-names-gone') ? [] : listOf(query, 'tweet.fields');
  return { dialect: 'tweet', fields: asked, expansions: [] };
}

function readNew(query: URLSearchParams, isOn: (name: string) => boolean): Grant | Answer {
  if (isOn('x-new-names-unknown'))
    return invalid(
      'post.fields',
      'The query parameter [post.fields] is not one of [max_results,tweet.fields]',
    );
  const asked = { fields: listOf(query, 'post.fields'), expansions: listOf(query, 'expansions') };
  if (isOn('x-fields-accepted')) return { dialect: 'post', ...asked };
  const strange =
    findStrange('post.fields', asked.fields, POST_FIELDS) ??
    findStrange('expansions', asked.expansions, EXPANSIONS);
  if (strange && !isOn('x-fields-ignored')) return strange;
  return {
    dialect: 'post',
    fields: asked.fields.filter((name) => POST_FIELDS.includes(name)),
    expansions: asked.expansions.filter((name) => EXPANSIONS.includes(name)),
  };
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
