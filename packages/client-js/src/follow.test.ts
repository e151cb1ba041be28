import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Change, followChanges } from './follow.ts';
import type { PostRecord } from './generated/schema.ts';
import type { StreamEvent } from './messages.ts';
import { postOf, snapshotOf } from './samples.test-support.ts';

async function* report<T>(values: Iterable<T>): AsyncGenerator<T, void, void> {
  yield* values;
}

/** The latest 15 posts, newest first, as in a snapshot. */
function latest(newest: number): PostRecord[] {
  return Array.from({ length: 15 }, (_, i) => postOf(newest - i));
}

async function follow(messages: StreamEvent[], listed: PostRecord[]): Promise<Change[]> {
  const changes: Change[] = [];
  const sources = { messages: report(messages), listPosts: () => report(listed) };
  for await (const change of followChanges(sources)) changes.push(change);
  return changes;
}

const describeChange = (change: Change) => (change.event === 'post' ? change.data.tweet_id : change.event);

describe('following', () => {
  it('fetches posts missing from a snapshot after a long gap', async () => {
    const restart = snapshotOf({ posts: latest(60) });
    const listed = Array.from({ length: 60 }, (_, i) => postOf(60 - i));
    const changes = await follow([snapshotOf({ posts: latest(20) }), restart], listed);
    const missed = Array.from({ length: 40 }, (_, i) => String(21 + i));
    assert.deepEqual(changes.map(describeChange), ['snapshot', ...missed]);
  });

  it('reports a gap it cannot fill, and returns the posts it has', async () => {
    const restart = snapshotOf({ posts: latest(60) });
    const changes = await follow([snapshotOf({ posts: latest(20) }), restart], latest(60));
    assert.deepEqual(changes.slice(1, 3).map(describeChange), ['gap', '46']);
    assert.deepEqual(changes[1]?.data, { after_ts: 20_000, before_ts: 46_000 });
    assert.equal(changes.length, 17);
  });

  it('fetches nothing if the snapshot reaches back far enough', async () => {
    const messages = [snapshotOf({ posts: latest(20) }), snapshotOf({ posts: latest(22) })];
    assert.deepEqual((await follow(messages, [])).map(describeChange), ['snapshot', '21', '22']);
  });
});
