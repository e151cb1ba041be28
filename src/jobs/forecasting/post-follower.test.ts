import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CapturedPost } from '../../domain/post.ts';
import { busynessOf } from './post-follower.ts';

describe('accounts to fit', () => {
  it('ranks accounts by recent posting rate', () => {
    const posts = (gapMs: number, length = 10) =>
      Array.from({ length }, (_, i) => ({ createdTs: 1e9 - i * gapMs }) as CapturedPost);
    assert.ok(busynessOf({ recentPosts: posts(100) }) > busynessOf({ recentPosts: posts(1_000, 50) }));
    assert.equal(busynessOf({ recentPosts: [] }), 0);
  });
});
