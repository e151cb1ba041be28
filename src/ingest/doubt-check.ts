// Settles doubts: a post that came from a source without flags is asked for by its id where one knows them.

import { DAY_MS, MINUTE_MS } from '../domain/units.ts';
import type { PollLoop } from '../runtime/poll-loop.ts';
import type { PostStore } from '../store/ports.ts';
import type { AccountRecorder } from './account-recorder.ts';
import { createFeedLoop, type IngestTools } from './feed-loop.ts';
import type { PostFeed } from './post-feed.ts';

export interface DoubtCheckOptions extends IngestTools {
  postFeed: PostFeed;
  recorder: AccountRecorder;
  posts: PostStore;
}

const LOOK_EVERY_MS = MINUTE_MS;
/** Longer than the longest window. */
const LOOK_BACK_MS = 35 * DAY_MS;
const IDS_PER_ROUND = 10;

export function createDoubtCheck(options: DoubtCheckOptions): PollLoop {
  const { recorder, posts, clock } = options;
  /** Asked about and still in doubt: the platform itself does not know, or no longer has it. */
  const asked = new Set<string>();
  return createFeedLoop({
    ...options,
    feed: 'deletions',
    shownAs: [],
    pollPeriodMs: LOOK_EVERY_MS,
    async runOnce(signal) {
      const source = options.postFeed.findSource(({ fetchByIds }) => fetchByIds !== undefined);
      if (!source?.fetchByIds) return null;
      const doubtful = await posts.listDoubtfulIds(recorder.account.accountId, clock.now() - LOOK_BACK_MS);
      const ids = doubtful.filter((id) => !asked.has(id)).slice(-IDS_PER_ROUND);
      if (ids.length === 0) return null;
      await recorder.capture(await source.fetchByIds(ids, signal), 'history', source.name);
      for (const id of ids) asked.add(id);
      return null;
    },
  });
}
