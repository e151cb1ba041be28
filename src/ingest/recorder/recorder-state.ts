// An account's current snapshot and the order of its changes: store first, then state, then the board.

import type { Account, AccountId } from '../../domain/account.ts';
import type { MarketEvent } from '../../domain/market-event.ts';
import type { Clock } from '../../runtime/clock.ts';
import { applyObservation } from '../../state/apply-observation.ts';
import type { Board } from '../../state/board.ts';
import {
  type AccountSnapshot,
  type CountDoubt,
  type Observation,
  RECENT_POST_LIMIT,
} from '../../state/snapshot.ts';
import type { Store } from '../../store/ports.ts';
import type { CaptureDelays } from './capture-delays.ts';

export interface RecorderOptions {
  account: Account;
  initial: AccountSnapshot;
  store: Store;
  board: Board;
  clock: Clock;
  delays: CaptureDelays;
  blankTextOnDeletion: boolean;
  /** Posts for which no source has settled whether they count. */
  doubtfulIds?: readonly string[];
}

export interface RecorderState {
  current(): AccountSnapshot;
  /** Runs `work` after all work queued before it. */
  inTurn<T>(work: () => Promise<T>): Promise<T>;
  apply(observation: Observation): void;
  /** Writes posts; if the outcome of the last write is unknown, recounts everything first. */
  write<T>(work: () => Promise<T>): Promise<T>;
  /** Records deletions, which lower counts under some rules. */
  noteDeleted(posts: number): void;
  /** Deletions recorded since counts were last read; null if nobody knows. */
  countDeletions(): number | null;
  /** Whether the store may contain more than the snapshot. */
  isUncertain(): boolean;
  recount(): Promise<void>;
  countEach(events: readonly MarketEvent[]): Promise<OwnCounts>;
}

export function createRecorderState(
  options: Pick<RecorderOptions, 'account' | 'initial' | 'store' | 'board' | 'clock'>,
): RecorderState {
  const { account, store, board, clock } = options;
  let current = options.initial;
  let queue: Promise<unknown> = Promise.resolve();
  /** True after a write that got no response, because it may have succeeded. */
  let isUncertain = false;
  /** Number of deletions since the counts were last read from the store. */
  let deletedSinceRead = 0;
  board.replace(current);

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = queue.then(work);
    queue = result.catch(() => {});
    return result;
  }

  function apply(observation: Observation): void {
    const step = applyObservation(current, observation, clock.now());
    if (step.snapshot === current) return;
    current = step.snapshot;
    board.publish(step);
  }

  const countDeletions = () => (isUncertain ? null : deletedSinceRead);

  async function write<T>(work: () => Promise<T>): Promise<T> {
    if (isUncertain) await recount();
    isUncertain = true;
    const result = await work();
    isUncertain = false;
    return result;
  }

  async function recount(): Promise<void> {
    const { accountId } = account;
    const { realCounts, doubts } = await countEach(current.events.map((state) => state.event));
    const totalPosts = await store.posts.count(accountId);
    const recentPosts = await store.posts.listRecent(accountId, RECENT_POST_LIMIT, 0);
    const deletions = countDeletions();
    apply({ kind: 'posts-recounted', totalPosts, recentPosts, realCounts, doubts, deletions });
    isUncertain = false;
    deletedSinceRead = 0;
  }

  async function countEach(events: readonly MarketEvent[]): Promise<OwnCounts> {
    return hasOwnFeedAnswered()
      ? countEvents(store, account.accountId, events)
      : { realCounts: {}, doubts: {} };
  }

  function hasOwnFeedAnswered(): boolean {
    return (
      current.totalPosts > 0 || current.feeds.some((feed) => feed.feed === 'own' && feed.updatedTs !== null)
    );
  }

  return {
    current: () => current,
    inTurn,
    apply,
    write,
    noteDeleted(posts) {
      deletedSinceRead += posts;
    },
    countDeletions,
    isUncertain: () => isUncertain,
    recount,
    countEach,
  };
}

interface OwnCounts {
  realCounts: Record<number, number>;
  doubts: Record<number, CountDoubt>;
}

/** Our own count for every event, by its contract's rule, with its doubtful posts. */
export async function countEvents(
  store: Store,
  accountId: AccountId,
  events: readonly MarketEvent[],
): Promise<OwnCounts> {
  const counts: OwnCounts = { realCounts: {}, doubts: {} };
  const byRule = Map.groupBy(events, ({ terms }) => JSON.stringify(terms?.countingRule));
  for (const group of byRule.values()) {
    const windows = group.map(({ window }) => window);
    const found = await store.posts.countWindows(accountId, windows, group[0]!.terms?.countingRule);
    for (const [i, { eventId }] of group.entries()) {
      counts.realCounts[eventId] = found[i]!.real;
      counts.doubts[eventId] = found[i]!.doubt;
    }
  }
  return counts;
}
