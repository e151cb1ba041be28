// Finds deleted posts by requesting recent posts again. Deleted posts stay counted and are only marked.

import { HOUR_MS } from '../../domain/units.ts';
import type { PollLoop } from '../../runtime/poll-loop.ts';
import type { PostStore } from '../../store/ports.ts';
import { createFeedLoop, type IngestTools } from '../feeds/feed-loop.ts';
import type { PostFeed } from '../feeds/post-feed.ts';
import type { AccountRecorder } from '../recorder/account-recorder.ts';

export interface DeletionCheckOptions extends IngestTools {
  postFeed: PostFeed;
  recorder: AccountRecorder;
  posts: PostStore;
}

/** Most deletions happen early, so recent posts are checked every time and older ones occasionally. */
const YOUNG_MS = 2 * HOUR_MS;
const OLD_MS = 48 * HOUR_MS;
const OLD_EVERY_ROUNDS = 20;
const IDS_PER_REQUEST = 100;

export function createDeletionCheck(options: DeletionCheckOptions): PollLoop {
  const { recorder, posts, clock } = options;
  let round = 0;
  return createFeedLoop({
    ...options,
    feed: 'deletions',
    shownAs: [],
    async runOnce(signal) {
      const source = options.postFeed.findSource(({ findMissing }) => findMissing !== undefined);
      if (!source?.findMissing) return null;
      const ageMs = round++ % OLD_EVERY_ROUNDS === 0 ? OLD_MS : YOUNG_MS;
      const ids = await posts.listStandingIds(recorder.account.accountId, clock.now() - ageMs);
      for (let start = 0; start < ids.length; start += IDS_PER_REQUEST) {
        const missing = await source.findMissing(ids.slice(start, start + IDS_PER_REQUEST), signal);
        if (missing.length > 0) await recorder.markDeleted(missing, clock.now());
      }
      return null;
    },
  });
}
