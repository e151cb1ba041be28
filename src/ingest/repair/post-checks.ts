// Checks on captured posts: doubtful posts are requested by id from a source with flags, and recent posts are
// requested again to find deleted ones.

import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../domain/units.ts';
import type { PollLoop } from '../../runtime/poll-loop.ts';
import type { PostStore } from '../../store/ports.ts';
import { createFeedLoop, type IngestTools } from '../feeds/feed-loop.ts';
import type { PostFeed } from '../feeds/post-feed.ts';
import type { AccountRecorder } from '../recorder/account-recorder.ts';

export interface PostCheckOptions extends IngestTools {
  postFeed: PostFeed;
  recorder: AccountRecorder;
  posts: PostStore;
}

const LOOK_EVERY_MS = MINUTE_MS;
/** Longer than the longest window. */
const LOOK_BACK_MS = 35 * DAY_MS;
const IDS_PER_ROUND = 10;

interface Asked {
  times: number;
  nextTs: number;
}

/** A post came from a source without flags, or its conversation could not be looked up in time. */
export function createDoubtCheck(options: PostCheckOptions): PollLoop {
  const { recorder, posts, clock } = options;
  /**
   * Posts still doubtful after a response: the platform does not know, or was too slow. Each pause is twice
   * as long as the previous one.
   */
  let asked = new Map<string, Asked>();

  function noteAsked(id: string): void {
    const times = (asked.get(id)?.times ?? 0) + 1;
    asked.set(id, { times, nextTs: clock.now() + LOOK_EVERY_MS * 2 ** times });
  }

  return createFeedLoop({
    ...options,
    feed: 'deletions',
    shownAs: [],
    pollPeriodMs: LOOK_EVERY_MS,
    async runOnce(signal) {
      const source = options.postFeed.findSource(({ fetchByIds }) => fetchByIds !== undefined);
      if (!source?.fetchByIds) return null;
      const listed = await posts.listDoubtful(recorder.account.accountId, clock.now() - LOOK_BACK_MS);
      const doubtful = listed.map(({ postId }) => postId);
      const standing = new Set(doubtful);
      asked = new Map([...asked].filter(([id]) => standing.has(id)));
      const ids = doubtful.filter((id) => (asked.get(id)?.nextTs ?? 0) <= clock.now()).slice(-IDS_PER_ROUND);
      if (ids.length === 0) return null;
      await recorder.capture(await source.fetchByIds(ids, signal), 'history', source.name);
      ids.forEach(noteAsked);
      return null;
    },
  });
}

/** Most deletions happen early, so recent posts are checked every time and older ones occasionally. */
const YOUNG_MS = 2 * HOUR_MS;
const OLD_MS = 48 * HOUR_MS;
const OLD_EVERY_ROUNDS = 20;
const IDS_PER_REQUEST = 100;

/** Deleted posts stay counted and are only marked. */
export function createDeletionCheck(options: PostCheckOptions): PollLoop {
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
