// Servers that accept only the names in the specification, in three variants of how they treat other names.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, json, never, scriptHttp } from '../../../test/support/scripted-sources.ts';
import { idAt, open, TIMELINE } from '../../../test/support/x-posts.ts';
import { createManualClock } from '../../runtime/clock.ts';
import { createRandom } from '../../runtime/random.ts';
import { createSpendMeter } from '../spend-meter.ts';
import { createXPostSource } from './client.ts';

type Behaviour = 'refuse' | 'ignore' | 'accept';

const SPEC_FIELDS = ['created_at', 'conversation_id', 'community_id', 'note_post', 'entities', 'lang'];
const SPEC_EXPANSIONS = ['author_id', 'in_reply_to_user_id', 'referenced_posts', 'edit_history_post_ids'];

const reference = (type: string, id: string) => [{ type, id }];

/** A quote, a self-reply to it, a reply to another user and an original, newest first. */
const POSTS: readonly Record<string, unknown>[] = [
  { id: idAt(4), text: 'look at this https://t.co/x', referenced_posts: reference('quoted', '9') },
  {
    id: idAt(3),
    text: 'and another thing',
    conversation_id: idAt(1),
    in_reply_to_user_id: '1001',
    referenced_posts: reference('replied_to', idAt(1)),
  },
  {
    id: idAt(2),
    text: '@x no',
    conversation_id: '8',
    in_reply_to_user_id: '77',
    referenced_posts: reference('replied_to', '8'),
  },
  { id: idAt(1), text: 'post' },
].map((post) => ({
  author_id: '1001',
  conversation_id: post.id,
  edit_history_post_ids: [post.id],
  ...post,
}));

function answer(url: URL, behaviour: Behaviour): unknown {
  const asked = (name: string) => (url.searchParams.get(name) ?? '').split(',').filter(Boolean);
  const fields = asked('post.fields');
  const expansions = asked('expansions');
  const isKnown = fields.every((one) => SPEC_FIELDS.includes(one)) && !url.searchParams.has('tweet.fields');
  if (behaviour === 'refuse' && !(isKnown && expansions.every((one) => SPEC_EXPANSIONS.includes(one)))) {
    return json(
      { errors: [{ message: 'The `post.fields` query parameter value is not one of [...]' }] },
      400,
    );
  }
  const granted =
    behaviour === 'accept'
      ? [...fields, ...expansions, ...asked('tweet.fields')]
      : [
          ...fields.filter((one) => SPEC_FIELDS.includes(one)),
          ...expansions.filter((one) => SPEC_EXPANSIONS.includes(one)),
        ];
  const data = POSTS.map((post) =>
    Object.fromEntries(Object.entries(post).filter(([key]) => ['id', 'text', ...granted].includes(key))),
  );
  const users = expansions.includes('author_id') ? [{ id: '1001' }, { id: '77' }] : [];
  const posts = expansions.includes('referenced_posts') ? [{ id: '9', author_id: '55', text: 'q' }] : [];
  return { data, includes: { users, posts }, meta: {} };
}

const flagsOf = (posts: readonly { isReply: boolean; isSelfReply: boolean; isQuote: boolean }[]) =>
  posts.map(({ isReply, isSelfReply, isQuote }) => [isReply, isSelfReply, isQuote].map(Number).join(''));

describe('a server that follows the specification exactly', () => {
  for (const behaviour of ['refuse', 'ignore', 'accept'] as const) {
    it(`and would ${behaviour} other names returns all flags on the first request`, async () => {
      const { source, asked } = open({ [TIMELINE]: (url: URL) => answer(url, behaviour) });
      const { posts } = await source.fetchLatest(null, never());
      assert.deepEqual(flagsOf(posts), ['000', '100', '110', '001']);
      assert.equal(asked.length, 1);
      const names = asked[0]!.url.searchParams.get('post.fields')!.split(',');
      assert.deepEqual(
        names.filter((name) => SPEC_EXPANSIONS.includes(name)),
        [],
        'expansions are not fields',
      );
    });
  }
});

describe('a server that omits fields the counting rule needs', () => {
  const without = (...names: string[]) => ({
    data: POSTS.map((post) =>
      Object.fromEntries(Object.entries(post).filter(([key]) => !names.includes(key))),
    ),
    meta: {},
  });

  it('is rejected, and the missing field is reported', async () => {
    const cases: [string[], RegExp][] = [
      [['conversation_id', 'referenced_posts', 'in_reply_to_user_id'], /without conversation_id/],
      [['in_reply_to_user_id'], /without in_reply_to_user_id: whether it is a self-reply is unknown/],
      [['in_reply_to_user_id', 'referenced_posts'], /without in_reply_to_user_id/],
    ];
    for (const [names, message] of cases) {
      const { source } = open({ [TIMELINE]: without(...names) });
      await assert.rejects(source.fetchLatest(null, never()), message);
    }
  });

  it('is rejected even if no post is a reply, because the author is missing too', async () => {
    const { source } = open({
      [TIMELINE]: {
        data: [{ id: idAt(4), text: 'look https://t.co/x', conversation_id: idAt(4) }],
        meta: {},
      },
    });
    await assert.rejects(source.fetchLatest(null, never()), /ignores the requested expansions/);
  });

  it('is accepted if the included parent identifies the recipient', async () => {
    const bare = without('in_reply_to_user_id');
    const posts = [
      { id: idAt(1), author_id: '1001' },
      { id: '8', author_id: '77' },
    ];
    const { source } = open({ [TIMELINE]: { ...bare, includes: { posts } } });
    const page = await source.fetchLatest(null, never());
    assert.deepEqual(flagsOf(page.posts), ['000', '100', '110', '001']);
    assert.equal(page.posts[2]!.conversation, 'own');
  });

  it('for one reply among several makes only that reply doubtful', async () => {
    const { in_reply_to_user_id: _, ...bare } = POSTS[2]!;
    const { source } = open({ [TIMELINE]: { data: [POSTS[1], bare], meta: {} } });
    const { posts } = await source.fetchLatest(null, never());
    assert.deepEqual(
      posts.map(({ isDoubtful }) => isDoubtful ?? false),
      [true, false],
    );
  });

  it('is accepted if both kinds of replies count the same way', async () => {
    const countingRule = { ...ACCOUNT.countingRule, selfReplies: false, replies: false };
    const { http, clock } = scriptHttp({ [TIMELINE]: without('in_reply_to_user_id') });
    const account = { ...ACCOUNT, countingRule };
    const source = createXPostSource({ account, http, clock, random: createRandom(1) });
    const { posts } = await source.fetchLatest(null, never());
    assert.ok(posts.every(({ isDoubtful }) => !isDoubtful));
  });
});

describe('cost of expansions', () => {
  it('is charged according to the price list, once a day', async () => {
    const { http, clock } = scriptHttp({ [TIMELINE]: (url: URL) => answer(url, 'refuse') });
    const meter = createSpendMeter({ name: 'x', clock: createManualClock(0), capUsd: null, capSetting: '' });
    const source = createXPostSource({ account: ACCOUNT, http, clock, random: createRandom(1), meter });
    for (let poll = 0; poll < 2; poll++) await source.fetchLatest(null, never());
    // Four posts and a quoted one at 0.005, two users at 0.01.
    assert.equal(meter.summary().dayUsd, 0.045);
  });
});
