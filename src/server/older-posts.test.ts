import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CapturedPost } from '../domain/post.ts';
import type { BoardReader } from '../state/board.ts';
import type { PostStore } from '../store/ports.ts';
import { createOlderPosts } from './endpoints/tweets.ts';

function open() {
  const asked: [number, number][] = [];
  const simulator = { first: 0, isAway: false, recentPosts: [] as CapturedPost[] };
  const listRecent: PostStore['listRecent'] = async (_, limit, offset) => {
    asked.push([limit, offset]);
    if (simulator.isAway) throw new Error('unavailable');
    return Array.from(
      { length: limit },
      (_each, i) => ({ postId: String(simulator.first + offset + i) }) as CapturedPost,
    );
  };
  const board = { find: () => ({ recentPosts: simulator.recentPosts }) } as unknown as BoardReader;
  const older = createOlderPosts({ listRecent } as PostStore, board);
  const read = async (limit: number, offset: number, nowTs = 0) =>
    (await older.read('a', { limit, offset }, nowTs)).map(({ postId }) => Number(postId));
  return { asked, simulator, read };
}

const range = (from: number, length: number) => Array.from({ length }, (_, i) => from + i);

describe('older posts', () => {
  it('are read one page at a time on first request', async () => {
    const { asked, read } = open();
    assert.deepEqual(await read(100, 150), range(150, 100));
    assert.deepEqual(await read(50, 850), range(850, 50));
    assert.deepEqual(asked, [
      [100, 150],
      [50, 850],
    ]);
  });

  it('are read once for all pages of a repeatedly requested range', async () => {
    const { asked, read } = open();
    await read(100, 100);
    const pages = await Promise.all([read(100, 399), read(15, 0), read(1, 250)]);
    assert.deepEqual(pages, [range(399, 100), range(0, 15), range(250, 1)]);
    assert.equal(asked.length, 2);
  });

  it('are read again after a new post or after a while', async () => {
    const { asked, simulator, read } = open();
    for (const offset of [100, 200, 300]) await read(100, offset);
    simulator.first = -1;
    simulator.recentPosts = [];
    for (const offset of [100, 200]) assert.deepEqual(await read(100, offset), range(offset - 1, 100));
    assert.equal(asked.length, 4);
    await read(100, 100, 10_000);
    assert.equal(asked.length, 5);
  });

  it('are read again after a failed read', async () => {
    const { simulator, read } = open();
    await read(100, 100);
    simulator.isAway = true;
    await assert.rejects(read(100, 100), /unavailable/);
    simulator.isAway = false;
    assert.deepEqual(await read(100, 100), range(100, 100));
  });

  it('are never read beyond the largest offset a store accepts', async () => {
    const { asked, read } = open();
    await read(1, 2 ** 40);
    assert.deepEqual(asked, [[1, 2 ** 31 - 1]]);
  });
});
