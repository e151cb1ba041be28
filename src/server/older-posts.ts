// Reads pages of posts older than the snapshot's from the store. Repeated requests for a range read the whole
// range once and slice it, because skipping to an offset costs as much as reading up to it.

import type { AccountId } from '../domain/account.ts';
import type { CapturedPost } from '../domain/post.ts';
import { SECOND_MS } from '../domain/units.ts';
import { createRecentResults } from '../runtime/recent-results.ts';
import type { BoardReader } from '../state/board.ts';
import type { PostStore } from '../store/ports.ts';

export interface OlderPosts {
  read(accountId: AccountId, page: PostPage, nowTs: number): Promise<CapturedPost[]>;
}

export interface PostPage {
  limit: number;
  offset: number;
}

/** Ranges start at multiples of this and overlap by a page, so that every page lies within one range. */
const STRETCH = 400;
const MAX_PAGE_ROWS = 100;
/** A new post invalidates cached ranges at once; only a deletion may show up late. */
const REUSE_MS = 10 * SECOND_MS;
/** Maximum cached ranges; each takes about a megabyte. */
const MAX_STRETCHES = 16;
/** The largest offset stores accept; no account has more posts than this. */
const MAX_OFFSET = 2 ** 31 - 1;

interface Stretch {
  isAskedAgain: boolean;
  posts: Promise<CapturedPost[]> | null;
}

export function createOlderPosts(posts: PostStore, board: BoardReader): OlderPosts {
  const stretches = createRecentResults<string, Stretch>(MAX_STRETCHES, REUSE_MS);

  return {
    async read(accountId, { limit, offset }, nowTs) {
      const from = Math.min(offset, MAX_OFFSET);
      const start = from - (from % STRETCH);
      const key = `${accountId} ${start}`;
      // Inside a list, so that the posts are compared by identity, not one by one.
      const basis = [board.find(accountId)?.recentPosts];
      const stretch = stretches.get(key, basis, nowTs, () => ({ isAskedAgain: false, posts: null }));
      if (!stretch.isAskedAgain) {
        stretch.isAskedAgain = true;
        return posts.listRecent(accountId, limit, from);
      }
      stretch.posts ??= posts.listRecent(accountId, STRETCH + MAX_PAGE_ROWS, start).catch((error) => {
        stretches.drop(key);
        throw error;
      });
      return (await stretch.posts).slice(from - start, from - start + limit);
    },
  };
}
