import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, inTurn, json, NOW_TS, never, scriptHttp } from '../../../test/support/scripted-sources.ts';
import { idAt, open, TIMELINE, tweet } from '../../../test/support/x-posts.ts';
import type { Post } from '../../domain/post.ts';
import { MINUTE_MS } from '../../domain/units.ts';
import { SourceError } from '../../runtime/errors.ts';
import { createRandom } from '../../runtime/random.ts';
import { createActivityConnection } from './activity-stream.ts';
import { createXPostSource } from './client.ts';
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

describe('activity stream', () => {
  const envelope = (event_type: string, payload: object, user_id = '1001') =>
    `${JSON.stringify({ data: { event_uuid: 'u', filter: { user_id }, event_type, payload } })}\n`;

  it('delivers posts, deletions and keep-alives of the account', async () => {
    const lines = [
      envelope('post.create', tweet(1)),
      '\n',
      envelope('post.create', tweet(2), '2002'),
      envelope('post.delete', { id: idAt(1) }),
      'garbage\n',
    ];
    const { source, asked } = open({
      '/2/activity/subscriptions': inTurn({ data: [] }, () => json({ title: 'Conflict' }, 409)),
      '/2/activity/stream': () => new Response(lines.join('')),
    });
    const seen = { posts: [] as string[], deleted: [] as string[], alive: 0, skipped: 0 };
    const ended = source.openStream!(
      {
        onPost: (post) => seen.posts.push(post.postId),
        onDeletion: ({ postId }) => seen.deleted.push(postId),
        onAlive: () => seen.alive++,
        onSkipped: () => seen.skipped++,
      },
      never(),
    );
    await assert.rejects(ended, /activity stream ended/);
    assert.deepEqual(seen, { posts: [idAt(1)], deleted: [idAt(1)], alive: 5, skipped: 1 });
    assert.deepEqual(asked[0]!.body, { event_type: 'post.create', filter: { user_id: '1001' } });
  });

  describe('of several accounts of one app', () => {
    const users = ['1001', '2002', '3003'];
    const openStreams = () => {
      const lines = new TransformStream<string, string>();
      const scripted = scriptHttp({
        '/2/activity/subscriptions': { data: [] },
        '/2/activity/stream': () => new Response(lines.readable.pipeThrough(new TextEncoderStream())),
      });
      const { http, clock, asked } = scripted;
      const activities = createActivityConnection(http, clock);
      const posts: string[] = [];
      const heard = Promise.withResolvers<void>();
      const follow = (userId: string, signal = never(), onOpen = () => {}) => {
        const account = { ...ACCOUNT, platformUserId: userId };
        const source = createXPostSource({ account, http, clock, activities, random: createRandom(1) });
        const onPost = ({ postId }: Post) => {
          posts.push(`${userId} ${postId}`);
          if (posts.length === users.length) heard.resolve();
        };
        return source.openStream!({ onOpen, onPost, onDeletion() {}, onAlive() {} }, signal);
      };
      const paths = (path: string) => asked.filter(({ url }) => url.pathname === path).length;
      return { follow, paths, posts, heard: heard.promise, clock, writer: lines.writable.getWriter() };
    };

    it('is one connection, from which each gets its own posts', async () => {
      const { follow, paths, posts, heard, writer } = openStreams();
      for (const user of users) follow(user).catch(() => {});
      await writer.write(
        users.map((user, i) => envelope('post.create', tweet(i, { author_id: user }), user)).join(''),
      );
      await heard;
      assert.deepEqual(
        posts.sort(),
        users.map((user, i) => `${user} ${idAt(i)}`),
      );
      assert.equal(paths('/2/activity/stream'), 1);
    });

    it('stays open while anyone follows it', async () => {
      const { follow, paths } = openStreams();
      const stops = users.map(() => new AbortController());
      const join = async (i: number) => {
        const opened = Promise.withResolvers<void>();
        const ended = follow(users[i]!, stops[i]!.signal, opened.resolve);
        await opened.promise;
        return { ended };
      };
      const leave = async (i: number, { ended }: { ended: Promise<void> }) => {
        stops[i]!.abort();
        await ended;
      };
      const [first, second] = [await join(0), await join(1)];
      await leave(0, first);
      const third = await join(2);
      await leave(1, second);
      await leave(2, third);
      assert.equal(paths('/2/activity/stream'), 1);
    });

    it('subscribes no one for a while after X has refused a subscription', async () => {
      const { http, clock, asked } = scriptHttp({
        '/2/activity/subscriptions': inTurn(() => json({}, 429), { data: [] }, { data: [] }),
      });
      const connection = createActivityConnection(http, clock);
      for (const user of users)
        await assert.rejects(
          connection.subscribe(user, never()),
          ({ status, retryAfterMs }) => status === 429 || retryAfterMs === MINUTE_MS,
        );
      assert.equal(asked.length, 1);
      clock.advance(MINUTE_MS);
      assert.equal(await connection.subscribe('1001', never()), 0);
    });

    it('has a skipped subscription renewed while it is followed', async () => {
      const { http, clock, asked } = scriptHttp({
        '/2/activity/subscriptions': { data: [] },
        '/2/activity/stream': () => new Response(new ReadableStream()),
      });
      const source = createXPostSource({ account: ACCOUNT, http, clock, random: createRandom(1) });
      const subscriptions = () => asked.filter(({ url }) => url.pathname.endsWith('subscriptions')).length;
      for (const expected of [2, 2]) {
        const stop = new AbortController();
        const opened = Promise.withResolvers<void>();
        const handlers = { onOpen: opened.resolve, onPost() {}, onDeletion() {}, onAlive() {} };
        const ended = source.openStream!(handlers, stop.signal);
        await opened.promise;
        assert.equal(subscriptions(), expected);
        await clock.advanceAsync(10 * MINUTE_MS);
        stop.abort();
        await ended;
      }
      assert.equal(subscriptions(), 4);
    });

    it('ends for all when it is lost, and subscriptions are not repeated at once', async () => {
      const { follow, paths, writer, clock } = openStreams();
      const ended = users.map((user) => assert.rejects(follow(user), /activity stream ended/));
      await writer.close();
      await Promise.all(ended);
      assert.equal(paths('/2/activity/subscriptions'), 2 * users.length);
      await assert.rejects(follow('1001'));
      assert.equal(paths('/2/activity/subscriptions'), 2 * users.length);
      clock.advance(15 * MINUTE_MS);
      await assert.rejects(follow('1001'));
      assert.equal(paths('/2/activity/subscriptions'), 2 * users.length + 2);
    });
  });

  it('looks up a reply without a recipient', async () => {
    const { in_reply_to_user_id: _, ...bare } = tweet(1, { in_reply_to_tweet_id: '9' }) as Record<
      string,
      unknown
    >;
    const { source } = open({
      '/2/activity/subscriptions': { data: [] },
      '/2/activity/stream': () => new Response(envelope('post.create', bare)),
      '/2/tweets': {
        data: [
          tweet(1, { referenced_tweets: [{ type: 'replied_to', id: '9' }], in_reply_to_user_id: '1001' }),
        ],
      },
    });
    const isSelfReply = new Promise<boolean>((resolve) => {
      const handlers = { onPost: (post: Post) => resolve(post.isSelfReply), onDeletion() {}, onAlive() {} };
      source.openStream!(handlers, never()).catch(() => {});
    });
    assert.equal(await isSelfReply, true);
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
