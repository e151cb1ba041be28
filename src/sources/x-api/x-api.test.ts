import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, inTurn, json, NOW_TS, never } from '../../../test/support/scripted-sources.ts';
import { idAt, open, TIMELINE, tweet } from '../../../test/support/x-posts.ts';
import type { Post } from '../../domain/post.ts';
import { SourceError } from '../../runtime/errors.ts';
import { parseTweet } from './parse.ts';

describe('X API posts', () => {
  it('are flagged by their references', () => {
    const flags = (fields: object) => {
      const post = parseTweet(tweet(1, fields), ACCOUNT) as Post;
      return [post.isReply, post.isQuote, post.isRetweet, post.isSelfReply, post.isCommunity]
        .map(Number)
        .join('');
    };
    const reference = (type: string) => [{ type, id: '9' }];
    assert.equal(flags({}), '00000');
    assert.equal(flags({ referenced_tweets: reference('retweeted') }), '00100');
    assert.equal(flags({ referenced_tweets: reference('quoted') }), '01000');
    assert.equal(flags({ referenced_tweets: reference('replied_to'), in_reply_to_user_id: '77' }), '10000');
    assert.equal(flags({ referenced_tweets: reference('replied_to'), in_reply_to_user_id: '1001' }), '10010');
    assert.equal(
      flags({
        referenced_tweets: [...reference('replied_to'), ...reference('quoted')],
        in_reply_to_user_id: '77',
      }),
      '11000',
    );
    assert.equal(flags({ community_id: '5' }), '00001');
  });

  it('have the text of a long note', () => {
    const post = parseTweet(
      tweet(1, { text: 'short…', note_tweet: { text: 'the long text' } }),
      ACCOUNT,
    ) as Post;
    assert.equal(post.text, 'the long text');
  });

  it('have the time and root of the first version of their edit chain', () => {
    const edited = parseTweet(
      tweet(600, { created_at: '2026-08-16T11:10:00.000Z', edit_history_tweet_ids: [idAt(600), idAt(0)] }),
      ACCOUNT,
    ) as Post;
    assert.equal(edited.rootPostId, idAt(0));
    assert.equal(edited.createdTs, Date.UTC(2026, 7, 16, 11));
  });

  it('have millisecond precision, which created_at lacks', () => {
    const id = String(BigInt(idAt(0)) + (321n << 22n));
    const post = parseTweet({ id, created_at: '2026-08-16T11:00:00.000Z' }, ACCOUNT) as Post;
    assert.equal(post.createdTs, Date.UTC(2026, 7, 16, 11) + 321);
  });

  it('are returned oldest first across pages, and the cursor moves to the newest', async () => {
    const { source, asked } = open({
      [TIMELINE]: inTurn(
        { data: [tweet(3), tweet(4)], meta: { next_token: 'n1' } },
        { data: [tweet(2), tweet(1)], meta: {} },
      ),
    });
    const page = await source.fetchLatest(idAt(0), never());
    assert.deepEqual(
      page.posts.map((post) => post.postId),
      [1, 2, 3, 4].map(idAt),
    );
    assert.equal(page.cursor, idAt(4));
    assert.equal(asked[1]!.url.searchParams.get('pagination_token'), 'n1');
  });

  it('are read to the end despite a page that fails once', async () => {
    const { source, clock } = open({
      [TIMELINE]: inTurn(
        { data: [tweet(4)], meta: { next_token: 'n1' } },
        () => new Response('{"data":[{"id'),
        { data: [tweet(3)], meta: {} },
      ),
    });
    const [page] = await Promise.all([source.fetchLatest(idAt(0), never()), clock.advanceAsync(1_000)]);
    assert.deepEqual([page.posts.length, page.cursor, page.problem], [2, idAt(4), null]);
  });

  it('keep the cursor when a later page keeps failing, and return what was read', async () => {
    const { source, clock } = open({
      [TIMELINE]: inTurn({ data: [tweet(4)], meta: { next_token: 'n1' } }, () => json({}, 503)),
    });
    const [page] = await Promise.all([source.fetchLatest(idAt(0), never()), clock.advanceAsync(20_000)]);
    assert.deepEqual([page.posts.length, page.cursor], [1, idAt(0)]);
    assert.match(page.problem!, /503/);
  });

  it('keep the cursor and report the problem when the pages repeat', async () => {
    const { source, asked } = open({ [TIMELINE]: { data: [tweet(4)], meta: { next_token: 'again' } } });
    const page = await source.fetchLatest(idAt(0), never());
    assert.deepEqual([page.cursor, asked.length], [idAt(0), 2]);
    assert.match(page.problem!, /its pages repeat/);
  });

  it('are empty for an empty response or a null list, and the cursor stays', async () => {
    for (const empty of [{}, { data: null }]) {
      const { source } = open({ [TIMELINE]: { ...empty, meta: { result_count: 0 } } });
      const page = await source.fetchLatest(idAt(0), never());
      assert.deepEqual(page, { posts: [], skipped: [], cursor: idAt(0), problem: null });
    }
  });

  it('from before the cursor are reread only occasionally', async () => {
    const { source, asked, clock } = open({ [TIMELINE]: { meta: { result_count: 0 } } });
    const sinceIds: (string | null)[] = [];
    for (let poll = 0; poll < 3; poll++) {
      await source.fetchLatest(idAt(0), never());
      sinceIds.push(asked.at(-1)!.url.searchParams.get('since_id'));
      clock.advance(1_000);
    }
    assert.deepEqual(sinceIds, [idAt(-3600), idAt(0), idAt(0)]);
    clock.advance(300_000);
    await source.fetchLatest(idAt(0), never());
    assert.equal(asked.at(-1)!.url.searchParams.get('since_id'), idAt(-3600));
  });

  it('exclude unreadable ones and those by another author', async () => {
    const { source } = open({
      [TIMELINE]: { data: [tweet(1), { id: 5.5 }, null, tweet(2, { author_id: '9' })], meta: {} },
    });
    const page = await source.fetchLatest(null, never());
    assert.deepEqual([page.posts.length, page.skipped.length], [1, 3]);
  });

  it('fail for a deleted account, rather than look like a quiet one', async () => {
    const { source } = open({
      [TIMELINE]: {
        errors: [{ title: 'Not Found Error', resource_id: '1001', type: 'x/resource-not-found' }],
      },
    });
    await assert.rejects(source.fetchLatest(null, never()), /Not Found Error for 1001/);
  });

  it('are missing only if the platform says so', async () => {
    const notFound = {
      type: 'https://api.twitter.com/2/problems/resource-not-found',
      title: 'Not Found Error',
    };
    const { source } = open({
      '/2/tweets': {
        data: [tweet(1)],
        errors: [
          { ...notFound, resource_id: idAt(2) },
          {
            type: 'https://api.twitter.com/2/problems/not-authorized-for-resource',
            title: 'Authorization Error',
            resource_id: idAt(3),
          },
        ],
      },
    });
    assert.deepEqual(await source.findMissing!([1, 2, 3, 4].map(idAt), never()), [idAt(2)]);
  });

  it('are read backwards by a backfill, with retries, until the pages end', async () => {
    const { source, clock } = open({
      [TIMELINE]: inTurn({ data: [tweet(4), tweet(3)], meta: { next_token: 'n1' } }, () => json({}, 503), {
        data: [tweet(2), tweet(1)],
        meta: {},
      }),
    });
    const batches: string[][] = [];
    const reading = (async () => {
      for await (const batch of source.fetchHistory({ sinceTs: 0, untilTs: NOW_TS }, () => {}, never()))
        batches.push(batch.map((post) => post.text!));
    })();
    await clock.advanceAsync(5_000);
    await reading;
    assert.deepEqual(batches, [
      ['post 3', 'post 4'],
      ['post 1', 'post 2'],
    ]);
  });
});

const selfReply = (second: number, root: string) =>
  tweet(second, {
    conversation_id: root,
    referenced_tweets: [{ type: 'replied_to', id: root }],
    in_reply_to_user_id: '1001',
  });

describe('self-reply', () => {
  it("gets its conversation's owner from known posts, or from a single look-up", async () => {
    const { source, asked } = open({
      [TIMELINE]: { data: [selfReply(3, '9'), selfReply(2, idAt(1)), tweet(1)], meta: {} },
      '/2/tweets': { data: [{ id: '9', author_id: '77', conversation_id: '9', text: 'q' }] },
    });
    for (let poll = 0; poll < 2; poll++) {
      const { posts } = await source.fetchLatest(null, never());
      assert.deepEqual(
        posts.map(({ conversation }) => conversation),
        [undefined, 'own', 'other'],
      );
    }
    assert.equal(asked.filter(({ url }) => url.pathname === '/2/tweets').length, 1);
  });

  it('has no conversation owner if the root cannot be looked up', async () => {
    const { source } = open({
      [TIMELINE]: { data: [selfReply(3, '9')], meta: {} },
      '/2/tweets': () => json({}, 503),
    });
    const { posts, skipped } = await source.fetchLatest(null, never());
    assert.deepEqual([posts.length, posts[0]!.conversation, skipped.length], [1, undefined, 1]);
  });
});

describe('posts during conversation look-ups', () => {
  const pollThatEnds = (reason?: Error) => {
    const poll = new AbortController();
    const { source } = open({
      [TIMELINE]: { data: [tweet(4), selfReply(3, '9')], meta: {} },
      '/2/tweets': () => {
        poll.abort(reason);
        return json({}, 503);
      },
    });
    return source.fetchLatest(idAt(0), poll.signal);
  };

  it('are not lost when the poll times out', async () => {
    const { posts, cursor, skipped } = await pollThatEnds(
      new SourceError('a/x: no response within 10000 ms', { isRetryable: true }),
    );
    assert.deepEqual([posts.map(({ postId }) => postId), cursor], [[idAt(3), idAt(4)], idAt(4)]);
    assert.deepEqual([posts[0]!.conversation, skipped.length], [undefined, 1]);
  });

  it('are left for the next start when the service stops', async () => {
    await assert.rejects(pollThatEnds());
  });
});

describe('post from the future', () => {
  it('is rejected and does not move the cursor', async () => {
    const { source } = open({ [TIMELINE]: { data: [tweet(90_000), tweet(1)], meta: {} } });
    const page = await source.fetchLatest(idAt(0), never());
    assert.deepEqual([page.posts.length, page.cursor], [1, idAt(1)]);
    assert.match(page.skipped[0]!.reason, /in the future/);
  });

  it('does not block the cursor if an earlier release moved it there', async () => {
    const { source, asked } = open({ [TIMELINE]: { data: [tweet(1)], meta: {} } });
    const page = await source.fetchLatest(idAt(900_000), never());
    assert.ok(BigInt(asked[0]!.url.searchParams.get('since_id')!) < BigInt(idAt(0)));
    assert.equal(page.cursor, idAt(1));
  });
});
