import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, inTurn, NOW_TS, never, scriptHttp } from '../../../test/support/scripted-sources.ts';
import { createRandom } from '../../runtime/random.ts';
import { createSpendMeter } from '../spend-meter.ts';
import { idAt, SNOWFLAKE_IDS } from '../status-id.ts';
import { createTwitterapiPostSource } from './client.ts';

const at = (second: number) => idAt(NOW_TS - 3_600_000 + second * 1_000, SNOWFLAKE_IDS);

function tweet(second: number, fields: object = {}): object {
  return {
    id: at(second),
    text: `post ${second}`,
    createdAt: 'Sun Aug 16 11:00:00 +0000 2026',
    isReply: false,
    conversationId: at(second),
    author: { id: '1001', userName: 'somebody' },
    ...fields,
  };
}

function open(replies: Parameters<typeof scriptHttp>[0], capUsd: number | null = null, account = ACCOUNT) {
  const scripted = scriptHttp(replies);
  const { http, clock } = scripted;
  const meter = createSpendMeter({ name: 'twitterapi', clock, capUsd, capSetting: 'CAP' });
  const source = createTwitterapiPostSource({
    account,
    http,
    clock,
    random: createRandom(1),
    meter,
  });
  return { ...scripted, meter, source };
}

const LIST = '/twitter/user/last_tweets';

describe('twitterapi.io posts', () => {
  it('are parsed from flat and nested lists, page by page until the cursor is passed', async () => {
    const { source, asked } = open({
      [LIST]: inTurn(
        { data: { tweets: [tweet(9), tweet(8)] }, has_next_page: true, next_cursor: 'n' },
        { tweets: [tweet(3), tweet(2), tweet(1)], has_next_page: true, next_cursor: 'm' },
      ),
    });
    const page = await source.fetchLatest(at(3), never());
    assert.deepEqual(
      page.posts.map(({ postId }) => postId),
      [1, 2, 3, 8, 9].map(at),
    );
    assert.deepEqual([page.cursor, asked.length], [at(9), 2]);
  });

  it("flag self-replies, and whether the conversation is the account's own", async () => {
    const reply = (root: string) => ({
      isReply: true,
      inReplyToId: root,
      inReplyToUserId: '1001',
      conversationId: root,
    });
    const { source } = open({
      [LIST]: { tweets: [tweet(5, reply('77')), tweet(4, reply(at(1))), tweet(1)], has_next_page: false },
      '/twitter/tweets': { tweets: [{ id: '77', author: { id: '2002' } }] },
    });
    const { posts } = await source.fetchLatest(null, never());
    assert.deepEqual(
      posts.map(({ isSelfReply, conversation }) => [isSelfReply, conversation]),
      [
        [false, undefined],
        [true, 'own'],
        [true, 'other'],
      ],
    );
  });

  it('are linked to their first version if the conversation has its id', async () => {
    const { source } = open({ [LIST]: { tweets: [tweet(90, { conversationId: at(1) }), tweet(0)] } });
    const { posts } = await source.fetchLatest(null, never());
    assert.deepEqual(
      posts.map(({ postId, rootPostId, createdTs }) => [postId, rootPostId, createdTs]),
      [
        [at(0), at(0), NOW_TS - 3_600_000],
        [at(90), at(1), NOW_TS - 3_600_000 + 1_000],
      ],
    );
  });

  it('are rejected as a whole page if it is unknown whether one is a reply', async () => {
    const { isReply: _, conversationId: __, ...bare } = tweet(1) as Record<string, unknown>;
    const { source } = open({ [LIST]: { tweets: [bare] } });
    await assert.rejects(source.fetchLatest(null, never()), /whether it is a reply is unknown/);
  });

  it('are not treated as an empty list if the response reports a failure', async () => {
    const { source } = open({ [LIST]: { tweets: [], status: 'error', message: 'user is suspended' } });
    await assert.rejects(source.fetchLatest(null, never()), /user is suspended/);
  });

  it('are not charged repeatedly if the pages repeat', async () => {
    const { source, asked } = open({ [LIST]: { tweets: [tweet(9)], has_next_page: true, next_cursor: 'n' } });
    const page = await source.fetchLatest(at(1), never());
    assert.deepEqual([asked.length, page.cursor], [2, at(1)]);
    assert.match(page.problem!, /its pages repeat/);
  });

  it("are distinguished from others' posts by handle if no user id is configured", async () => {
    const byOther = { author: { id: '5', userName: 'other' } };
    const reply = { isReply: true, inReplyToUsername: 'Somebody', conversationId: at(0) };
    const { source } = open(
      {
        [LIST]: { tweets: [tweet(2, byOther), tweet(1, reply)] },
        '/twitter/tweets': { tweets: [tweet(0)] },
      },
      null,
      { ...ACCOUNT, platformUserId: '' },
    );
    const { posts, skipped } = await source.fetchLatest(null, never());
    assert.deepEqual(
      posts.map(({ isSelfReply, conversation }) => [isSelfReply, conversation]),
      [[true, 'own']],
    );
    assert.equal(skipped.length, 1);
  });

  it('cost what the price list says, up to the cap', async () => {
    const { source, meter, asked } = open(
      { [LIST]: { tweets: [tweet(1), tweet(2)], has_next_page: false } },
      0.0005,
    );
    await source.fetchLatest(null, never());
    assert.equal(meter.summary().monthUsd, 0.0003);
    await source.fetchLatest(null, never());
    await assert.rejects(source.fetchLatest(null, never()), { needsOperator: true });
    assert.equal(asked.length, 2);
  });
});
