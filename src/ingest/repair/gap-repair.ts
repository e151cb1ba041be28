// Finds posts that appeared and were deleted while we were not reading any source. If the oracle counted a
// post that we never captured and the platform no longer has, we capture it from the oracle as deleted. If no
// source can confirm the deletion, we capture it as a possible version of another post. The same list decides, for
// the time being, on replies to itself in a thread with a deleted start.

import { EDITABLE_MS, markVersionsOf } from '../../domain/possible-edit.ts';
import type { CapturedPost } from '../../domain/post.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../domain/units.ts';
import type { PollLoop } from '../../runtime/poll-loop.ts';
import { fromOraclePost } from '../../sources/oracle/posts-source.ts';
import type { OraclePost, OracleSource, PostSource } from '../../sources/source.ts';
import type { PostStore, Store } from '../../store/ports.ts';
import { createFeedLoop, type IngestTools } from '../feeds/feed-loop.ts';
import type { PostFeed } from '../feeds/post-feed.ts';
import type { AccountRecorder } from '../recorder/account-recorder.ts';

export interface GapRepairOptions extends IngestTools {
  oracle: OracleSource;
  postFeed: PostFeed;
  recorder: AccountRecorder;
  posts: PostStore;
  oraclePosts: Store['oraclePosts'];
  /** The account's backfill must be complete, because before that everything looks like a gap. */
  caughtUp: Promise<void>;
}

const LOOK_EVERY_MS = 10 * MINUTE_MS;
const LOOK_BACK_MS = 35 * DAY_MS;
/** Posts can be edited for an hour, under new ids; after that an unknown id is a gap, not an edit. */
const SETTLED_AGE_MS = HOUR_MS;
const IDS_PER_REQUEST = 100;
/** More posts than the busiest account publishes within the oracle's look-back. */
const COMPARED_POSTS = 10_000;

export function createGapRepair(options: GapRepairOptions): PollLoop {
  const { oracle, recorder, posts, clock } = options;
  const { accountId } = recorder.account;
  let isCaughtUp = false;
  /** Listings already stored. */
  const kept = new Set<string>();
  void options.caughtUp.then(() => {
    isCaughtUp = true;
    loop.wake();
  });

  const loop = createFeedLoop({
    ...options,
    feed: 'deletions',
    shownAs: [],
    pollPeriodMs: LOOK_EVERY_MS,
    async runOnce(signal) {
      if (!isCaughtUp) return null;
      const endTs = clock.now() - SETTLED_AGE_MS;
      const startTs = endTs - LOOK_BACK_MS;
      const counted = await oracle.fetchPosts({ startTs, endTs }, signal);
      await keepImports(counted);
      await judgeCutThreads(counted, startTs, endTs);
      // A post edited across the boundary is stored under the id of its earlier version.
      const known = new Set(await posts.listKnownIds(accountId, startTs - EDITABLE_MS));
      const unknown = counted.filter((post) => !known.has(post.postId));
      const source = options.postFeed.findSource(({ findMissing }) => findMissing !== undefined);
      if (source) await captureGone(source, unknown, signal);
      else await captureAsReported(unknown);
      return null;
    },
  });

  /** Stores import times, because lessons about counted kinds need them even after the oracle has dropped them. */
  async function keepImports(counted: readonly OraclePost[]): Promise<void> {
    const listedTs = clock.now();
    const fresh = counted.filter((post) => !kept.has(post.postId));
    const listings = fresh.map(({ postId, createdTs, importedTs }) => ({
      ...{ postId, createdTs, importedTs, listedTs },
    }));
    if (listings.length > 0) await options.oraclePosts.record(accountId, listings);
    for (const { postId } of fresh) kept.add(postId);
  }

  /**
   * Without its start, no source shows who began a thread. A reply that the oracle lists counts; one that it
   * does not list an hour later does not, but stays doubtful, because a few imports come days late.
   */
  async function judgeCutThreads(
    counted: readonly OraclePost[],
    startTs: number,
    endTs: number,
  ): Promise<void> {
    if (counted.length === 0 || oracle.syncError() !== null) return;
    const listed = new Set(counted.map(({ postId }) => postId));
    const untilTs = Math.min(endTs, (oracle.lastSyncTs() ?? clock.now()) - SETTLED_AGE_MS);
    const cut = (await posts.listDoubtful(accountId, startTs)).filter(
      ({ isSelfReply, createdTs }) => isSelfReply && createdTs < untilTs,
    );
    const judged = cut.flatMap((post) => judgeByList(post, listed.has(post.postId)) ?? []);
    if (judged.length > 0) await recorder.judgeAgain(judged);
  }

  async function captureGone(
    source: PostSource,
    unknown: readonly OraclePost[],
    signal: AbortSignal,
  ): Promise<void> {
    for (let at = 0; at < unknown.length; at += IDS_PER_REQUEST) {
      const some = unknown.slice(at, at + IDS_PER_REQUEST);
      const ids = some.map((post) => post.postId);
      const missing = new Set(await source.findMissing!(ids, signal));
      const gone = some.filter((post) => missing.has(post.postId));
      const captured = await captureAsReported(gone);
      await recorder.markDeleted(
        captured.map((post) => post.postId),
        clock.now(),
      );
    }
  }

  /** A post may be known under another id: an edited post has several, and the oracle lists one of them. */
  async function captureAsReported(listed: readonly OraclePost[]): Promise<CapturedPost[]> {
    if (listed.length === 0) return [];
    const reported = listed.map((post) => fromOraclePost(accountId, post));
    const canBeEdits = recorder.account.platform === 'x';
    const known = canBeEdits ? await posts.listRecent(accountId, COMPARED_POSTS, 0) : [];
    return recorder.capture(markVersionsOf(reported, known), 'history', 'oracle');
  }
  return loop;
}

/** null if the verdict stays the same. */
function judgeByList(post: CapturedPost, isListed: boolean): CapturedPost | null {
  const isUncounted = post.conversation === 'other';
  // The others may be edits of a counted post.
  if (!post.isCounted && !isUncounted) return null;
  if (isListed) return { ...post, conversation: 'own', isCounted: true, isDoubtful: false };
  // Deleted before the oracle looked, it would be missing in any case.
  const isGone = post.deletedTs !== null && post.deletedTs < post.createdTs + SETTLED_AGE_MS;
  return isUncounted || isGone ? null : { ...post, conversation: 'other', isCounted: false };
}
