import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { PostRecord } from './generated/schema.ts';
import { listEveryPost } from './paging.ts';
import { postOf } from './samples.test-support.ts';

describe('paging', () => {
  it('returns every post once, newest first, even while new ones arrive', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(40),
        fc.integer({ min: 1, max: 9 }),
        fc.nat(3),
        async (count, pageSize, rate) => {
          let posts = Array.from({ length: count }, (_, i) => postOf(count - i));
          const found: PostRecord[] = [];
          const listPage = async ({ limit, offset }: { limit: number; offset: number }) => {
            const data = posts.slice(offset, offset + limit);
            const arrived = Array.from({ length: Math.min(rate, pageSize - 1) }, (_, i) =>
              postOf(posts.length + 1 + i),
            );
            posts = [...arrived.toReversed(), ...posts];
            return { data, limit, offset };
          };
          for await (const post of listEveryPost(listPage, { pageSize })) found.push(post);
          assert.deepEqual(
            found.map(({ tweet_id }) => Number(tweet_id)),
            Array.from({ length: count }, (_, i) => count - i),
          );
        },
      ),
      { seed: 7 },
    );
  });

  it('stops if every page is the first one, as in the public view', async () => {
    const first = Array.from({ length: 15 }, (_, i) => postOf(15 - i));
    for (const pageSize of [15, 100]) {
      let count = 0;
      const listPage = async () => ({ data: first, limit: 15, offset: 0 });
      for await (const _ of listEveryPost(listPage, { pageSize })) count += 1;
      assert.equal(count, 15);
    }
  });
});
