// Keeps an account's forecaster up to date: loads the history once, then each new post. Reloads the history
// if more posts arrived than the snapshot shows (after an import or a backfill).

import type { AccountId } from '../../domain/account.ts';
import { DAY_MS } from '../../domain/units.ts';
import type { AccountParameters } from '../../forecast/parameters.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { TurnQueue } from '../../runtime/turn-queue.ts';
import type { BoardReader } from '../../state/board.ts';
import type { AccountSnapshot } from '../../state/snapshot.ts';
import type { PostStore } from '../../store/ports.ts';
import type { ForecastRunner } from './forecast-runner.ts';

/** Longer than the model's look-back. */
const HISTORY_DAYS = 900;

export interface PostFollower {
  /** Returns the snapshot that matches the loaded posts, and whether anything new was loaded. */
  catchUp(): Promise<{ snapshot: AccountSnapshot; hasNews: boolean; isReloaded: boolean } | null>;
  /** Reloads the history on the next call, because the forecaster may have lost its state. */
  forget(): void;
}

export interface PostFollowerOptions {
  accountId: AccountId;
  parameters: AccountParameters;
  board: BoardReader;
  posts: PostStore;
  runner: ForecastRunner;
  clock: Clock;
  /** Fits take about 0.1 s of CPU each, so one account per thread at a time, the busiest first. */
  fitQueue?: TurnQueue;
}

export function createPostFollower(options: PostFollowerOptions): PostFollower {
  const { accountId, parameters, board, posts, runner, clock } = options;
  /** What the forecaster has. */
  let loaded: { totalPosts: number; recentIds: ReadonlySet<string> } | null = null;

  function noteLoaded({ totalPosts, recentPosts }: AccountSnapshot): void {
    loaded = { totalPosts, recentIds: new Set(recentPosts.map(({ postId }) => postId)) };
  }

  async function reload(): Promise<AccountSnapshot | null> {
    const before = board.find(accountId);
    const history = await posts.listTimes(accountId, clock.now() - HISTORY_DAYS * DAY_MS);
    const after = board.find(accountId);
    // A post captured during the read may already be in the history; retry rather than count it twice.
    if (!before || !after || before.totalPosts !== after.totalPosts) return null;
    await runner.load(accountId, history, parameters);
    noteLoaded(after);
    return after;
  }

  return {
    forget() {
      loaded = null;
    },
    async catchUp() {
      const snapshot = board.find(accountId);
      if (!snapshot) return null;
      const fresh = snapshot.recentPosts.filter((post) => !loaded?.recentIds.has(post.postId));
      if (!loaded || snapshot.totalPosts - loaded.totalPosts !== fresh.length) {
        const reloaded = await (options.fitQueue?.enter(busynessOf(snapshot), reload) ?? reload());
        return reloaded && { snapshot: reloaded, hasNews: true, isReloaded: true };
      }
      if (fresh.length > 0)
        await runner.observe(
          accountId,
          fresh.map(({ createdTs, isCounted }) => ({ createdTs, isCounted })),
        );
      noteLoaded(snapshot);
      return { snapshot, hasNews: fresh.length > 0, isReloaded: false };
    },
  };
}

/** Posts per millisecond over the loaded recent posts. */
export function busynessOf({ recentPosts }: Pick<AccountSnapshot, 'recentPosts'>): number {
  const [newest, oldest] = [recentPosts[0], recentPosts.at(-1)];
  if (!newest || !oldest) return 0;
  return recentPosts.length / (newest.createdTs - oldest.createdTs + 1);
}
