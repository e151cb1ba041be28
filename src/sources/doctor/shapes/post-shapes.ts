// Shapes of posts in the platforms' payloads.

import { asArray, asRecord, readName, readText, type WireRecord } from '../../wire-reader.ts';
import { isReply, readChain, readReferenceTypes } from '../../x-api/references.ts';
import type { ShapeFeed } from './shape-feed.ts';

const records = (value: unknown): WireRecord[] => (asArray(value) ?? []).map((item) => asRecord(item) ?? {});

const REFERENCE_TYPES = new Set(['replied_to', 'quoted', 'retweeted']);

function classifyTweet(post: WireRecord): string[] {
  const types = readReferenceTypes(post);
  const unknown = [...types]
    .filter((type) => !REFERENCE_TYPES.has(type))
    .map((type) => `reference '${type}'`);
  return [
    ...unknown,
    ...(types.has('retweeted') ? ['repost'] : []),
    ...(types.has('quoted') ? ['quote'] : []),
    ...classifyReply(isReply(post), readName(post, 'in_reply_to_user_id'), readName(post, 'author_id')),
    ...(types.size === 0 && !isReply(post) ? ['original'] : []),
    ...(readChain(post).length > 1 ? ['edited'] : []),
    ...(readName(post, 'community_id') === null ? [] : ['community post']),
    ...(asRecord(post.note_post ?? post.note_tweet) ? ['long text'] : []),
  ];
}

function classifyReply(isAnswer: boolean, repliedTo: string | null, author: string | null): string[] {
  if (!isAnswer) return [];
  return [repliedTo !== null && repliedTo === author ? 'self-reply' : 'reply'];
}

function classifyStatus(status: WireRecord): string[] {
  const isAnswer = readName(status, 'in_reply_to_id') !== null;
  const author = readName(asRecord(status.account) ?? {}, 'id');
  const isRepost = asRecord(status.reblog) !== null;
  const isQuote = asRecord(status.quote) !== null || readName(status, 'quote_id') !== null;
  const visibility = readName(status, 'visibility') ?? 'public';
  return [
    ...(visibility === 'public' || visibility === 'unlisted' ? [] : [`visibility '${visibility}'`]),
    ...(isRepost ? ['repost'] : []),
    ...(isQuote ? ['quote'] : []),
    ...classifyReply(isAnswer, readName(status, 'in_reply_to_account_id'), author),
    ...(isRepost || isQuote || isAnswer ? [] : ['original']),
    ...(records(status.media_attachments).length > 0 ? ['with media'] : []),
    ...(asRecord(status.group) ? ['group post'] : []),
    ...(readName(status, 'edited_at') === null ? [] : ['edited']),
  ];
}

function classifyCopy(text: string | null): string {
  if (text === null || text.trim() === '') return 'without text';
  if (/^RT(?: @|: http)/.test(text)) return 'repost by its text';
  return /^\s*@\w/.test(text) ? 'mention at the start' : 'post';
}

const COPIES = ['post', 'repost by its text', 'mention at the start', 'without text'];

export const POST_FEEDS: readonly ShapeFeed[] = [
  {
    name: 'x posts',
    kind: 'x',
    path: /\/2\/users\/[^/]+\/(?:tweets|posts)$/,
    shapes: ['original', 'reply', 'self-reply', 'quote', 'repost', 'edited', 'community post', 'long text'],
    classify: (answer) => records(asRecord(answer)?.data).flatMap(classifyTweet),
  },
  {
    name: 'mastodon posts',
    kind: 'mastodon',
    path: /\/api\/v1\/accounts\/[^/]+\/statuses$/,
    shapes: ['original', 'reply', 'self-reply', 'quote', 'repost', 'edited', 'with media', 'group post'],
    classify: (answer) => records(answer).flatMap(classifyStatus),
  },
  {
    name: 'oracle posts',
    kind: 'oracle',
    path: /\/users\/[^/]+\/posts$/,
    shapes: COPIES,
    classify: (answer) =>
      records(asRecord(answer)?.data ?? answer).map((post) => classifyCopy(readText(post, 'content'))),
  },
  {
    name: 'twitterapi posts',
    kind: 'twitterapi',
    path: /\/twitter\/user\/last_tweets$/,
    shapes: COPIES,
    classify: (answer) => {
      const outer = asRecord(answer) ?? {};
      const tweets = asRecord(outer.data)?.tweets ?? outer.tweets ?? outer.data;
      return records(tweets).map((post) => classifyCopy(readText(post, 'text')));
    },
  },
];
