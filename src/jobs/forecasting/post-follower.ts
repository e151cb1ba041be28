// Keeps an account's forecaster up to date: loads the history once, then each new post, and the history again
// when more posts arrived than the snapshot shows (an import or a backfill).

import type { AccountId } from '../../domain/account.ts';
import { DAY_MS } from '../../domain/units.ts';
import type { AccountParameters } from '../../forecast/parameters.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { BoardReader } from '../../state/board.ts';
import type { AccountSnapshot } from '../../state/snapshot.ts';
import type { PostStore } from '../../store/ports.ts';
import type { ForecastRunner } from './forecast-runner.ts';
import { busynessOf, type LoadLine } from './load-line.ts';

/** Longer than the model's look-back. */
const HISTORY_DAYS = 900;

export interface PostFollower {
  /** Reports whether anything new was loaded, with the snapshot it matches. */
  catchUp(): Promise<{ snapshot: AccountSnapshot; hasNews: boolean; isReloaded: boolean } | null>;
  /** Loads the history again next time, because the forecaster may have lost its state. */
  forget(): void;
}

export interface PostFollowerOptions {
  accountId: AccountId;
  parameters: AccountParameters;
  board: BoardReader;
  posts: PostStore;
  runner: ForecastRunner;
  clock: Clock;
  /** Optional queue for fitting accounts. */
  loadLine?: LoadLine;
}

export function createPostFollower(options: PostFollowerOptions): PostFollower {
  const { accountId, parameters, board, posts, runner, clock } = options;
  let digested: AccountSnapshot | null = null;

  async function reload(): Promise<AccountSnapshot | null> {
    const before = board.find(accountId);
    const history = await posts.listTimes(accountId, clock.now() - HISTORY_DAYS * DAY_MS);
    const after = board.find(accountId);
    // A post captured in the meantime may or may not be in the history, so read again rather than count it
    // twice.
    if (!before || !after || before.totalPosts !== after.totalPosts) return null;
    await runner.load(accountId, history, parameters);
    digested = after;
    return after;
  }

  return {
    forget() {
      digested = null;
    },
    async catchUp() {
      const snapshot = board.find(accountId);
      if (!snapshot) return null;
      const known = new Set(digested?.recentPosts.map((post) => post.postId));
      const fresh = snapshot.recentPosts.filter((post) => !known.has(post.postId));
      if (!digested || snapshot.totalPosts - digested.totalPosts !== fresh.length) {
        const reloaded = await (options.loadLine?.enter(busynessOf(snapshot), reload) ?? reload());
        return reloaded && { snapshot: reloaded, hasNews: true, isReloaded: true };
      }
      if (fresh.length > 0)
        await runner.observe(
          accountId,
          fresh.map(({ createdTs, isCounted }) => ({ createdTs, isCounted })),
        );
      digested = snapshot;
      return { snapshot, hasNews: fresh.length > 0, isReloaded: false };
    },
  };
}
