// Parses every payload in ../shared/fixtures. The fixtures are not part of the project; without them, the
// tests are skipped with a message.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { completeProfile } from '../src/domain/account-profile.ts';
import { isSameWindow } from '../src/domain/count-window.ts';
import { parseWindowSlug, parseWindowText } from '../src/domain/count-window-text.ts';
import type { Post } from '../src/domain/post.ts';
import { MARKET_TIME_ZONE } from '../src/domain/zoned-time.ts';
import { createRandom } from '../src/runtime/random.ts';
import { parseArchived } from '../src/sources/archive/client.ts';
import {
  parseOraclePosts,
  parseTracking,
  parseTrackings,
  readEnvelope,
} from '../src/sources/oracle/calls.ts';
import { fromOraclePost } from '../src/sources/oracle/posts-source.ts';
import { parseFeed } from '../src/sources/rss/client.ts';
import { MASTODON_IDS, statusIdTs } from '../src/sources/status-id.ts';
import { asArray } from '../src/sources/wire-reader.ts';
import { createXPostSource } from '../src/sources/x-api/client.ts';
import { parseTweet } from '../src/sources/x-api/parse.ts';
import { readActivity } from '../src/sources/x-api/wire.ts';
import { listFixtures, MISSING_FIXTURES, readFixture, readJsonFixture } from './support/fixtures.ts';
import { never, scriptHttp } from './support/scripted-sources.ts';

describe('oracle payloads', { skip: MISSING_FIXTURES }, () => {
  const zone = MARKET_TIME_ZONE;

  it('parse as trackings without skipping any', () => {
    for (const name of listFixtures('oracle/user_*_trackings_list.json')) {
      const values = asArray(readEnvelope(readJsonFixture(name)))!;
      const { trackings, skipped } = parseTrackings(values);
      assert.deepEqual([trackings.length, skipped], [values.length, []]);
    }
    for (const [file, count] of [
      ['complete_2026-04-17_24', 204],
      ['inprogress_2026-04-21_28', 98],
    ] as const) {
      const [name] = listFixtures(`oracle/tracking_*_${file}.json`);
      assert.equal(parseTracking(readEnvelope(readJsonFixture(name!)))!.count, count);
    }
  });

  it('have the tracked window in title and slug, except for two oracle errors', () => {
    let wrong = 0;
    let compared = 0;
    for (const name of listFixtures('oracle/user_*_trackings_list.json')) {
      const values = asArray(readEnvelope(readJsonFixture(name)))!;
      for (const tracking of parseTrackings(values).trackings) {
        const options = { timeZone: zone, nearEndTs: tracking.window.endTs };
        const windows = [
          parseWindowText(tracking.title, options),
          tracking.marketSlug === null ? tracking.window : parseWindowSlug(tracking.marketSlug, options),
        ];
        compared += 1;
        wrong += windows.every((window) => window && isSameWindow(window, tracking.window)) ? 0 : 1;
      }
    }
    assert.ok(compared > 100);
    assert.equal(wrong, 2);
  });

  it('parse as posts', () => {
    const values = asArray(readEnvelope(readJsonFixture(listFixtures('oracle/posts_*.json')[0]!)))!;
    const posts = parseOraclePosts(values);
    assert.equal(posts.length, values.length);
    assert.equal(posts.filter((post) => post.isRetweet).length, 3);
  });
});

describe('post payloads', { skip: MISSING_FIXTURES }, () => {
  const who = (platformUserId: string, platform: 'x' | 'mastodon' = 'x') =>
    completeProfile({ accountId: 'a', handle: 'somebody', platformUserId, platform }, 0);

  it("from the activity stream yield the account's posts and deletions, but not replies by others", async () => {
    const names = listFixtures('posts/x_activity_*.json');
    const lines = names.map((name) => JSON.stringify(readJsonFixture(name)));
    const seen: string[] = [];
    const { http, clock } = scriptHttp({
      '/2/activity/subscriptions': { data: [] },
      '/2/activity/stream': () => new Response(`${lines.join('\n')}\n`),
    });
    const source = createXPostSource({
      account: who('1111111111111111111'),
      http,
      clock,
      random: createRandom(1),
    });
    const handlers = {
      onPost: ({ postId, isReply }: Post) => seen.push(`${postId} ${isReply}`),
      onDeletion: ({ postId }: { postId: string }) => seen.push(`${postId} gone`),
      onAlive() {},
    };
    await assert.rejects(source.openStream!(handlers, never()), /ended/);
    assert.deepEqual(seen, ['2080761390344937796 false', '2080761269309813134 gone']);
  });

  it('for replies, quotes and reposts are recognised on the stream', () => {
    const flags = (name: string) => {
      const { payload } = readActivity(readJsonFixture(`posts/x_activity_post_${name}_create.json`))!;
      const post = parseTweet(payload, who('2222222222222222222')) as Post;
      return [post.isReply, post.isQuote, post.isRetweet, post.isSelfReply].map(Number).join('');
    };
    assert.deepEqual(['reply', 'quote', 'repost'].map(flags), ['1000', '0100', '0010']);
  });

  it('from the archive and the mirror include reposts, media-only and plain posts', () => {
    const account = { ...who('107780257626128497', 'mastodon'), handle: 'realDonaldTrump' };
    const archived = (readJsonFixture('posts/cnn_truth_archive_sample.json') as unknown[]).map(
      (entry) => parseArchived(entry, account) as Post,
    );
    assert.deepEqual(archived.map(({ isRetweet }) => Number(isRetweet)).join(''), '0001100');
    assert.ok(archived.every(({ isDoubtful, createdTs }) => !isDoubtful && createdTs > 0));
    for (const post of archived)
      assert.ok(Math.abs(statusIdTs(post.postId, MASTODON_IDS)! - post.createdTs) < 5_000, post.postId);
    const { posts, skipped } = parseFeed(readFixture('posts/trumpstruth_feed_sample.xml'), account)!;
    assert.deepEqual(
      posts.map(({ postId, isRetweet }) => `${postId} ${isRetweet}`),
      ['116457789709036829 true', '116457972455781406 false'],
    );
    assert.equal(skipped.length, 0);
  });

  it('from the oracle are counted posts, except that one starting with a mention is uncertain', () => {
    const listed = parseOraclePosts(
      asArray(readEnvelope(readJsonFixture('oracle/posts_elonmusk_sample.json')))!,
    );
    const posts = listed.map((post) => fromOraclePost('a', post));
    assert.deepEqual(posts.map(({ isDoubtful = false }) => Number(isDoubtful)).join(''), '100000');
    assert.deepEqual(posts.map(({ isRetweet }) => Number(isRetweet)).join(''), '001011');
  });
});
