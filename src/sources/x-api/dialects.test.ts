import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, inTurn, json, never } from '../../../test/support/scripted-sources.ts';
import { idAt, open, TIMELINE, tweet } from '../../../test/support/x-posts.ts';
import type { Post } from '../../domain/post.ts';
import { parseTweet } from './parse.ts';

describe('X API dialects', () => {
  const inNewNames = (second: number, fields: object = {}) => {
    const { edit_history_tweet_ids: ids, ...rest } = tweet(second) as Record<string, unknown>;
    return { ...rest, edit_history_post_ids: ids, ...fields };
  };
  const reference = (type: string) => [{ type, id: '9' }];

  it('yield the same posts', () => {
    const flags = (value: object) => {
      const { isReply, isQuote, isRetweet } = parseTweet(value, ACCOUNT) as Post;
      return [isReply, isQuote, isRetweet];
    };
    for (const type of ['replied_to', 'quoted', 'retweeted']) {
      assert.deepEqual(
        flags(inNewNames(1, { referenced_posts: reference(type) })),
        flags(tweet(1, { referenced_tweets: reference(type) })),
      );
    }
    const edited = inNewNames(2, { edit_history_post_ids: [idAt(1), idAt(2)] });
    assert.equal((parseTweet(edited, ACCOUNT) as Post).rootPostId, idAt(1));
  });

  it('are tried in order, new names first, and the one that works is remembered', async () => {
    const { source, asked } = open({
      [TIMELINE]: (url: URL) =>
        url.searchParams.has('post.fields')
          ? json({ errors: [{ message: 'The query parameter [post.fields] is not known' }] }, 400)
          : { data: [tweet(1)], meta: {} },
    });
    await source.fetchLatest(null, never());
    await source.fetchLatest(null, never());
    const names = asked.map(({ url }) => [...url.searchParams.keys()].find((key) => key.endsWith('.fields')));
    assert.deepEqual(names, ['post.fields', 'tweet.fields', 'tweet.fields']);
  });

  it('lead to a rejected page if neither shows what kind of post it is', async () => {
    const { conversation_id: _, ...bare } = tweet(1) as Record<string, unknown>;
    const { source } = open({ [TIMELINE]: { data: [bare], meta: {} } });
    await assert.rejects(source.fetchLatest(null, never()), /without conversation_id and referenced_posts/);
    const repost = open({ [TIMELINE]: { data: [tweet(1, { text: 'RT @x: y' })], meta: {} } });
    await assert.rejects(repost.source.fetchLatest(null, never()), /came without referenced_posts/);
  });

  it('accept a hand-typed repost once the server is known to send references', async () => {
    const byHand = (second: number) => tweet(second, { text: 'RT @x: y' });
    const { source } = open({
      [TIMELINE]: inTurn(
        { data: [byHand(2), tweet(1, { referenced_tweets: reference('quoted') })], meta: {} },
        { data: [byHand(3)], meta: {} },
      ),
    });
    const first = await source.fetchLatest(null, never());
    assert.deepEqual(
      first.posts.map(({ isRetweet, isQuote }) => [isRetweet, isQuote]),
      [
        [false, true],
        [false, false],
      ],
    );
    assert.equal((await source.fetchLatest(first.cursor, never())).posts.length, 1);
  });

  it('treat only a post without the fields as doubtful', async () => {
    const bare = (second: number, text: string) => {
      const { conversation_id: _, ...rest } = tweet(second, { text }) as Record<string, unknown>;
      return rest;
    };
    const { source } = open({
      [TIMELINE]: inTurn(
        { data: [bare(3, '@x no'), bare(2, 'hm'), tweet(1)], meta: {} },
        { data: [bare(4, 'more')], meta: {} },
      ),
    });
    const first = await source.fetchLatest(null, never());
    assert.deepEqual(
      first.posts.map(({ isReply, isDoubtful }) => [isReply, isDoubtful]),
      [
        [false, undefined],
        [false, true],
        [true, true],
      ],
    );
    const [lone] = (await source.fetchLatest(first.cursor, never())).posts;
    assert.equal(lone!.isDoubtful, true);
  });

  it("treat a post in another's conversation as a reply, even if other fields are missing", () => {
    assert.equal((parseTweet(tweet(1, { conversation_id: '9' }), ACCOUNT) as Post).isReply, true);
  });
});
