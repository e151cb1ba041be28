// Reads a timeline page by page, newest first: what is new since a cursor, or a range of history.

import type { Post } from '../domain/post.ts';
import { errorMessage } from '../runtime/errors.ts';
import { createPageWalk } from './cursor-overlap.ts';
import type { PostPage, PostSource, SkippedItem } from './source.ts';
import { newestId } from './status-id.ts';

export interface AcceptedPosts {
  /** Oldest first. */
  posts: Post[];
  skipped: SkippedItem[];
}

export interface Timeline {
  name: string;
  /** Guards against a server with endless pages. */
  maxPages: number;
  /** Reads a page, the newest for null; `next` is the next older page, or null if no older one is needed. */
  fetchPage(token: string | null): Promise<AcceptedPosts & { next: string | null }>;
}

/**
 * A failure after the first page gives a partial result that keeps the cursor. Without a cursor the newest page
 * is enough: the backfill reads older ones.
 */
export async function readNewPosts(timeline: Timeline, cursor: string | null): Promise<PostPage> {
  const posts: Post[] = [];
  const skipped: SkippedItem[] = [];
  const walkOn = createPageWalk(timeline.name);
  let token: string | null = null;
  for (let page = 0; page < timeline.maxPages; page++) {
    try {
      const read = await timeline.fetchPage(token);
      posts.unshift(...read.posts);
      skipped.push(...read.skipped);
      token = walkOn(read.next);
      if (token === null || cursor === null) break;
    } catch (error) {
      if (page === 0) throw error;
      return { posts, skipped, cursor, problem: errorMessage(error) };
    }
  }
  const ids = posts.map((post) => post.postId);
  return { posts, skipped, cursor: newestId(ids, cursor), problem: null };
}

export async function* readHistory(
  timeline: Timeline,
  onSkipped: Parameters<PostSource['fetchHistory']>[1],
): AsyncGenerator<Post[]> {
  const walkOn = createPageWalk(timeline.name);
  let token: string | null = null;
  for (let page = 0; page < timeline.maxPages; page++) {
    const { posts, skipped, next } = await timeline.fetchPage(token);
    token = walkOn(next);
    onSkipped(skipped);
    if (posts.length > 0) yield posts;
    if (token === null) return;
  }
}
