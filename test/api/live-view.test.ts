// The public snapshot that caches may share.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Harness, startHarness } from './harness.ts';

const PATH = '//live/account_a.json';
let harness: Harness;

before(async () => {
  harness = await startHarness();
});
after(() => harness.close());

describe('the public snapshot', () => {
  it('may be kept by any cache for one second, for every caller', async () => {
    const { status, headers } = await harness.call(PATH);
    assert.equal(status, 200);
    assert.equal(headers['cache-control'], 'public, max-age=1');
    assert.equal(headers.vary, 'Accept-Encoding');
    assert.deepEqual(
      Object.keys(headers).filter((name) => /ratelimit|cookie/.test(name)),
      [],
    );
  });

  it('is as current as the request, so that a cache never has more than a second', async () => {
    const first = await harness.call(PATH);
    harness.clock.advance(1);
    const now = harness.board.find('a')!;
    harness.board.replace({ ...now, recentPosts: now.recentPosts.slice(1), version: now.version + 1 });
    const second = await harness.call(PATH);
    assert.equal(second.json.timestamp, first.json.timestamp + 1);
    assert.equal(second.json.posts[0].tweet_id, first.json.posts[1].tweet_id);
  });

  it('has the public records of /meta, /prediction and /tweets, for every caller', async () => {
    const [view, paid, ...records] = await Promise.all([
      harness.call(PATH),
      harness.call(PATH, { key: harness.keys.PRO }),
      ...['/meta/account_a', '/prediction/account_a', '/meta/account_a/tweets'].map((path) =>
        harness.call(path),
      ),
    ]);
    const { tier, meta, prediction, posts } = view!.json;
    assert.deepEqual([tier, meta, prediction, posts], ['FREE', ...records.map(({ json }) => json.data)]);
    assert.equal(paid!.text, view!.text);
  });

  it('uses no allowance and can be revalidated', async () => {
    const from = '127.0.0.9';
    const { headers } = await harness.call(PATH, { from });
    const again = { from, headers: { 'If-None-Match': headers.etag! } };
    for (let i = 0; i < 110; i++) assert.equal((await harness.call(PATH, again)).status, 304);
    const meta = await harness.call('/prediction/account_a', { from });
    assert.equal(meta.headers['x-ratelimit-remaining'], '99');
  });
});
