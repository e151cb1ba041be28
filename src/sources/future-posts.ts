// Rejects posts from the future. A single future date or id would move the cursor past all later posts, and
// the count would stop forever.

import type { Post } from '../domain/post.ts';
import { MINUTE_MS } from '../domain/units.ts';
import type { SkippedItem } from './source.ts';
import type { IdClock } from './status-id.ts';
import { statusIdTs } from './status-id.ts';

/** Clocks may differ by seconds; a difference of minutes is an error. */
export const MAX_AHEAD_MS = 5 * MINUTE_MS;

export function isAhead(ts: number | null, nowTs: number): boolean {
  return ts !== null && ts > nowTs + MAX_AHEAD_MS;
}

export function dropFuturePosts(
  posts: readonly Post[],
  nowTs: number,
  ids: IdClock | null,
): { posts: Post[]; skipped: SkippedItem[] } {
  const kept: Post[] = [];
  const skipped: SkippedItem[] = [];
  for (const post of posts) {
    const idTs = ids && statusIdTs(post.postId, ids);
    if (isAhead(post.createdTs, nowTs) || isAhead(idTs, nowTs)) {
      skipped.push({ what: `post ${post.postId}`, reason: describeAhead(post, idTs, nowTs), isFuture: true });
    } else kept.push(post);
  }
  return { posts: kept, skipped };
}

function describeAhead(post: Post, idTs: number | null, nowTs: number): string {
  const minutes = Math.round((Math.max(post.createdTs, idTs ?? 0) - nowTs) / MINUTE_MS);
  return `post ${post.postId} is dated ${minutes} minutes in the future and was rejected`;
}
