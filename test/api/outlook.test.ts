// Posting habits are public; the next post and similar windows need PRO.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { samplePost } from '../store/samples.ts';
import { createFeeds, createSnapshot, NOW_TS } from './fixture.ts';
import { type Harness, startHarness } from './harness.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const DAYS = 60;

let harness: Harness;

before(async () => {
  harness = await startHarness();
  // Posts twice a day, at 09:00 and 21:00 UTC, with a reply at noon.
  const posts = Array.from({ length: DAYS }, (_, day) =>
    [9, 12, 21].map((hour) => {
      const createdTs = Math.floor(NOW_TS / DAY_MS - day) * DAY_MS + hour * HOUR_MS;
      return samplePost({
        postId: `${day}-${hour}`,
        createdTs,
        isCounted: hour !== 12,
        isReply: hour === 12,
      });
    }),
  )
    .flat()
    .filter(({ createdTs }) => createdTs <= NOW_TS);
  await harness.store.posts.recordCaptures(posts);
});
after(() => harness.close());

const pro = async (path: string) => harness.call(path, { key: harness.keys.PRO });

describe('an account profile', () => {
  it('is public, by hour and weekday in the requested time zone', async () => {
    const { status, json } = await harness.call('/meta/account_a/profile?tz=UTC&days=14');
    assert.equal(status, 200);
    const { by_hour, by_weekday, look_backs, days } = json.data;
    assert.equal(days, 14);
    assert.deepEqual(by_hour[9], { hour: 9, counted_per_hour: 1, all_per_hour: 1, hours: 14 });
    assert.deepEqual(by_hour[12], { hour: 12, counted_per_hour: 0, all_per_hour: 1, hours: 14 });
    assert.equal(by_weekday.length, 7);
    assert.deepEqual(
      look_backs.map((row: Record<string, number>) => [row.days, row.counted, row.counted_per_day]),
      [
        [7, 14, 2],
        [14, 28, 2],
        [30, 60, 2],
      ],
    );
    const inNewYork = (await harness.call('/meta/account_a/profile?days=7')).json.data;
    assert.ok(inNewYork.by_hour[5].counted_per_hour > 0);
  });

  it('rejects an invalid look-back or time zone', async () => {
    for (const query of ['days=8', 'days=x', 'tz=Nowhere/Else'])
      assert.equal((await harness.call(`/meta/account_a/profile?${query}`)).status, 422, query);
  });
});

describe('an account outlook', () => {
  it('needs PRO', async () => {
    assert.equal((await harness.call('/outlook/account_a')).status, 401);
    assert.equal((await harness.call('/outlook/account_a', { key: harness.keys.FREE })).status, 401);
    assert.equal((await harness.call('/outlook/account_a', { key: harness.keys.INTERNAL })).status, 200);
  });

  it('shows when to expect the next post, and how similar windows ended', async () => {
    const { json } = await pro('/outlook/account_a?event_id=1001&limit=3');
    const [record] = json.data;
    const evening = NOW_TS + 9 * HOUR_MS;
    const { p5_ts, p50_ts, p95_ts, sample_size } = record.next_post;
    assert.deepEqual([p5_ts, p50_ts, p95_ts], [evening, evening, evening]);
    assert.ok(sample_size >= 25);
    assert.deepEqual([record.count_now, record.last_day_now], [2, 2]);
    assert.equal(record.similar.length, 3);
    for (const window of record.similar)
      assert.deepEqual([window.count_then, window.last_day_then, window.final_count], [2, 2, 4]);
    assert.deepEqual(
      (await pro('/outlook/account_a')).json.data.map(({ event_id }: { event_id: number }) => event_id),
      [1001, 1002],
    );
  });

  it('omits the next post while posts are stale, and returns no events from other accounts', async () => {
    const dark = createFeeds(NOW_TS - HOUR_MS);
    harness.board.publish(createSnapshot('a', { version: 9, feeds: dark }));
    const [record] = (await pro('/outlook/account_a')).json.data;
    assert.equal(record.next_post, null);
    assert.equal(record.feeds.own.stale, true);
    for (const eventId of [2001, 1003, 999])
      assert.equal((await pro(`/outlook/account_a?event_id=${eventId}`)).status, 404);
    assert.equal((await pro('/outlook/account_a?limit=0')).status, 422);
  });
});
