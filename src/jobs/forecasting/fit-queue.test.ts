import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CapturedPost } from '../../domain/post.ts';
import { busynessOf, createFitQueue } from './fit-queue.ts';

describe('account fitting queue', () => {
  it('fits the busiest accounts first, one per thread at a time', async () => {
    const queue = createFitQueue(2);
    const begun: number[] = [];
    const open = new Map<number, PromiseWithResolvers<void>>();
    const work = (urgency: number) =>
      queue.enter(urgency, async () => {
        begun.push(urgency);
        open.set(urgency, Promise.withResolvers());
        await open.get(urgency)!.promise;
      });
    const all = [1, 5, 3, 4, 2].map(work);
    const turn = () => new Promise((resolve) => setImmediate(resolve));
    await turn();
    assert.deepEqual(begun, [5, 4]);
    open.get(4)!.reject(new Error('load failed'));
    await assert.rejects(all[3]!, /load failed/);
    await turn();
    assert.deepEqual(begun, [5, 4, 3]);
    const late = work(9);
    open.get(5)!.resolve();
    await turn();
    assert.deepEqual(begun, [5, 4, 3, 9]);
    for (const urgency of [3, 9, 2, 1]) {
      open.get(urgency)!.resolve();
      await turn();
    }
    await Promise.all([late, ...all.filter((_, i) => i !== 3)]);
  });

  it('ranks accounts by recent posting rate', () => {
    const posts = (gapMs: number, length = 10) =>
      Array.from({ length }, (_, i) => ({ createdTs: 1e9 - i * gapMs }) as CapturedPost);
    assert.ok(busynessOf({ recentPosts: posts(100) }) > busynessOf({ recentPosts: posts(1_000, 50) }));
    assert.equal(busynessOf({ recentPosts: [] }), 0);
  });
});
