import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, inTurn, json, never, scriptHttp } from '../../../test/support/scripted-sources.ts';
import { idAt, open, tweet } from '../../../test/support/x-posts.ts';
import type { Post } from '../../domain/post.ts';
import { MINUTE_MS } from '../../domain/units.ts';
import { createRandom } from '../../runtime/random.ts';
import { createActivityConnection } from './activity-stream.ts';
import { createXPostSource } from './client.ts';

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
