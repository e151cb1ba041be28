import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { ACCOUNT, inTurn, json, NOW_TS, never, scriptHttp } from '../../../test/support/scripted-sources.ts';
import { isCountedBy, isInDoubt, MAIN_FEED_RULE } from '../../domain/counting-rule.ts';
import type { Post } from '../../domain/post.ts';
import { SourceError } from '../../runtime/errors.ts';
import { createRandom } from '../../runtime/random.ts';
import { htmlToText } from '../mirrored-post.ts';
import { createMastodonPostSource } from './client.ts';
import { parseStatus } from './parse.ts';

const STATUSES = '/api/v1/accounts/1001/statuses';

function status(id: number, fields: object = {}): object {
  return {
    id: String(id),
    created_at: new Date(Date.UTC(2026, 7, 16) + id * 1000).toISOString(),
    content: `<p>post ${id}</p>`,
    account: { id: '1001', acct: 'somebody' },
    in_reply_to_id: null,
    reblog: null,
    ...fields,
  };
}

function open(replies: Parameters<typeof scriptHttp>[0], account = ACCOUNT) {
  const scripted = scriptHttp(replies);
  const { http, clock } = scripted;
  return { ...scripted, source: createMastodonPostSource({ account, http, clock, random: createRandom(1) }) };
}

describe('statuses', () => {
  it('are flagged as reply, self-reply, reblog and quote', () => {
    const flags = (fields: object) => {
      const post = parseStatus(status(1, fields), ACCOUNT, NOW_TS) as Post;
      return [post.isReply, post.isSelfReply, post.isRetweet, post.isQuote].map(Number).join('');
    };
    assert.equal(flags({}), '0000');
    assert.equal(flags({ in_reply_to_id: '5', in_reply_to_account_id: '7' }), '1000');
    assert.equal(flags({ in_reply_to_id: '5', in_reply_to_account_id: '1001' }), '1100');
    assert.equal(flags({ in_reply_to_account_id: '7' }), '1000', 'the parent was deleted');
    assert.equal(flags({ in_reply_to_account_id: '1001' }), '1100');
    assert.equal(flags({ reblog: { id: '9' } }), '0010');
    assert.equal(flags({ quote: { id: '9' } }), '0001');
    assert.equal(flags({ quote_id: '9' }), '0001');
  });

  it('have text without markup, and reblogs name the original author', () => {
    const reblog = { content: '<p>Hi &amp; <a href="x">bye</a></p>', account: { acct: 'other' } };
    assert.equal((parseStatus(status(1, { reblog }), ACCOUNT, NOW_TS) as Post).text, 'RT @other: Hi & bye');
    assert.equal((parseStatus(status(1, { content: '' }), ACCOUNT, NOW_TS) as Post).text, '');
  });

  // Assumed from Soapbox, the front end that Truth Social's derives from: `tombstone: { reason: 'deleted' }`.
  it('that only say they were removed do not count, but may have counted', async () => {
    const removed = status(2, { content: '', tombstone: { reason: 'deleted' } });
    const post = parseStatus(removed, ACCOUNT, NOW_TS) as Post;
    assert.deepEqual([isCountedBy(MAIN_FEED_RULE, post), isInDoubt(MAIN_FEED_RULE, post)], [false, true]);
    assert.deepEqual([post.deletedTs, post.text], [NOW_TS, null]);
    assert.equal(
      (parseStatus(status(1, { tombstone: null }), ACCOUNT, NOW_TS) as Post).isDoubtful,
      undefined,
    );
    const { source } = open({ '/api/v1/statuses/2': removed, '/api/v1/statuses/1': status(1) });
    assert.deepEqual(await source.findMissing!(['1', '2'], never()), ['2']);
  });

  it('are fetched backwards in pages until the cursor is reached', async () => {
    const { source, asked } = open({
      [STATUSES]: inTurn([status(40), status(39)], [status(38), status(37)], []),
    });
    const page = await source.fetchLatest('30', never());
    assert.deepEqual(
      page.posts.map((post) => post.postId),
      ['37', '38', '39', '40'],
    );
    assert.equal(page.cursor, '40');
    assert.deepEqual(
      asked.map(({ url }) => url.searchParams.get('max_id')),
      [null, '39', '37'],
    );
  });

  it('are found by the handle if no id is configured', async () => {
    const { source, asked } = open(
      { '/api/v1/accounts/lookup': { id: '1001' }, [STATUSES]: [status(1)] },
      { ...ACCOUNT, platformUserId: '' },
    );
    await source.fetchLatest(null, never());
    assert.equal(asked[0]!.url.search, '?acct=somebody');
  });

  it('are missing if the server says so in JSON, but not in HTML', async () => {
    const gone = open({
      '/api/v1/statuses/1': status(1),
      '/api/v1/statuses/2': () => json({ error: 'Record not found' }, 404),
    });
    assert.deepEqual(await gone.source.findMissing!(['1', '2'], never()), ['2']);
    const blocked = open({ '/api/v1/statuses/2': () => new Response('<html>', { status: 404 }) });
    await assert.rejects(blocked.source.findMissing!(['2'], never()), /HTML/);
  });

  it('are read back to the requested time by a backfill', async () => {
    const { source } = open({
      [STATUSES]: inTurn([status(4), status(3)], [status(2), status(1)], [status(0)]),
    });
    const batches: string[][] = [];
    const sinceTs = Date.UTC(2026, 7, 16) + 2_000;
    for await (const batch of source.fetchHistory({ sinceTs, untilTs: NOW_TS }, () => {}, never()))
      batches.push(batch.map((post) => post.postId));
    assert.deepEqual(batches, [['3', '4'], ['2']]);
  });
});

describe('Mastodon-compatible server', () => {
  it('is queried without replies to others, and for the newest posts without an id', async () => {
    const { source, asked } = open({ [STATUSES]: [status(4)] });
    await source.fetchLatest('3', never());
    const { searchParams } = asked[0]!.url;
    assert.equal(searchParams.get('exclude_replies'), 'true');
    assert.deepEqual([searchParams.has('since_id'), searchParams.has('max_id')], [false, false]);
  });

  it('is retried at the ISO time given in its rate-limit header', async () => {
    const resetTs = NOW_TS + 90_000;
    const { source } = open({
      [STATUSES]: () => json({}, 429, { 'x-ratelimit-reset': new Date(resetTs).toISOString() }),
    });
    await assert.rejects(source.fetchLatest(null, never()), { status: 429, retryAfterMs: 90_000 });
  });

  it("distinguishes own threads from others' when the account is known only by its handle", async () => {
    const { source } = open(
      {
        '/api/v1/accounts/lookup': { id: '1001' },
        [STATUSES]: [status(9, { in_reply_to_id: '4', in_reply_to_account_id: '1001' })],
        '/api/v1/statuses/4': status(4),
      },
      { ...ACCOUNT, platformUserId: '' },
    );
    const { posts } = await source.fetchLatest(null, never());
    assert.deepEqual([posts[0]!.isSelfReply, posts[0]!.conversation], [true, 'own']);
  });

  it('loses no post when the poll times out during a thread walk', async () => {
    const poll = new AbortController();
    const { source } = open({
      [STATUSES]: [status(9, { in_reply_to_id: '4', in_reply_to_account_id: '1001' }), status(7)],
      '/api/v1/statuses/4': () => {
        poll.abort(new SourceError('b/mastodon: no response within 10000 ms', { isRetryable: true }));
        return json({}, 503);
      },
    });
    const { posts, skipped } = await source.fetchLatest(null, poll.signal);
    assert.deepEqual([posts.map(({ postId }) => postId), skipped.length], [['7', '9'], 1]);
  });

  it('returns parents, which lead to the start of a thread', async () => {
    const reply = (parent: string) => ({ in_reply_to_id: parent, in_reply_to_account_id: '1001' });
    const { source } = open({
      [STATUSES]: [status(9, reply('8')), status(8, reply('4')), status(6, reply('5')), status(4)],
      '/api/v1/statuses/5': status(5, { in_reply_to_id: '2', in_reply_to_account_id: '77' }),
      '/api/v1/statuses/2': status(2, { account: { id: '77' } }),
    });
    const { posts } = await source.fetchLatest(null, never());
    assert.deepEqual(
      posts.map(({ postId, conversation }) => `${postId} ${conversation}`),
      ['4 undefined', '6 other', '8 own', '9 own'],
    );
  });
});

describe('status HTML', () => {
  it('keeps line breaks and decodes entities once', () => {
    assert.equal(
      htmlToText('<p>a<br/>b</p><p>&lt;c&gt; &amp;lt; &#39;&#x1F600;</p>'),
      "a\nb\n\n<c> &lt; '😀",
    );
  });

  it('survives any text', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void htmlToText(text)));
    assert.equal(typeof htmlToText('<'.repeat(200_000)), 'string');
    assert.equal(typeof htmlToText('<br '.repeat(50_000)), 'string');
    assert.equal(htmlToText('&#xD800;&#0;&#9999999;'), '&#xD800;&#0;&#9999999;');
  });
});
