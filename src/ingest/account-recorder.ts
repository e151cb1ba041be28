// The one door through which observations of an account enter: store first, then state, then the board.
// Calls are carried out one after the other, so that a count read from the store and a post captured
// at the same moment can never both, or neither, be in the published count.

import type { Account } from '../domain/account.ts';
import { isCountedBy } from '../domain/counting-rule.ts';
import type { FeedName } from '../domain/feed.ts';
import type { MarketEvent } from '../domain/market-event.ts';
import type { CapturedPost, Post, PostDeletion } from '../domain/post.ts';
import type { Quote } from '../domain/quote.ts';
import type { Clock } from '../runtime/clock.ts';
import { applyObservation } from '../state/apply-observation.ts';
import type { Board } from '../state/board.ts';
import type { Observation } from '../state/observation.ts';
import { type AccountSnapshot, type EventState, RECENT_POST_LIMIT } from '../state/snapshot.ts';
import type { CountFeed, Store } from '../store/ports.ts';
import type { CaptureDelays } from './capture-delays.ts';

export interface AccountRecorder {
  readonly account: Account;
  snapshot(): AccountSnapshot;
  /** Resolves once the new ones are durable and counted; returns them. */
  capture(posts: readonly Post[], source: 'live' | 'history'): Promise<CapturedPost[]>;
  markDeleted(postIds: readonly string[], deletedTs: number): Promise<void>;
  listEvents(events: readonly MarketEvent[]): Promise<void>;
  /** `asofTs` is the instant that the counts speak for; now unless told. */
  readCounts(
    feed: CountFeed,
    readings: readonly { eventId: number; count: number }[],
    asofTs?: number,
  ): Promise<void>;
  readQuotes(quotes: readonly Quote[]): Promise<void>;
  /** What has no row of its own: freshness of feeds, published forecasts. */
  note(observation: Observation): Promise<void>;
  feedAnswered(feed: FeedName, report?: FeedReport): Promise<void>;
}

/** How a feed answered. */
export interface FeedReport {
  /** Why the answer is not all that it should be. */
  problem?: string | null;
  /** What an operator must act on. */
  alarm?: string | null;
  /** The instant that the answer speaks for; now unless told. */
  asofTs?: number;
}

export interface RecorderOptions {
  account: Account;
  initial: AccountSnapshot;
  store: Store;
  board: Board;
  clock: Clock;
  delays: CaptureDelays;
  blankTextOnDeletion: boolean;
}

/** Ids remembered so that the overlap of two polls does not reach the disk. */
const REMEMBERED_IDS = 5_000;

export function createAccountRecorder(options: RecorderOptions): AccountRecorder {
  const { account, store, board, clock, delays } = options;
  let current = options.initial;
  let queue: Promise<unknown> = Promise.resolve();
  /** A write whose answer was lost may have been made: until the store is read again, it may know more than is shown. */
  let isInDoubt = false;
  const rememberedIds = new Set(current.recentPosts.map((post) => post.postId));
  board.publish(current);

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = queue.then(work);
    queue = result.catch(() => {});
    return result;
  }

  function apply(observation: Observation): void {
    current = applyObservation(current, observation, clock.now());
    board.publish(current);
  }

  function remember(postId: string): void {
    rememberedIds.add(postId);
    if (rememberedIds.size <= REMEMBERED_IDS) return;
    const oldest = rememberedIds.values().next().value;
    if (oldest !== undefined) rememberedIds.delete(oldest);
  }

  async function write<T>(work: () => Promise<T>): Promise<T> {
    if (isInDoubt) await recount();
    isInDoubt = true;
    const result = await work();
    isInDoubt = false;
    return result;
  }

  async function recount(): Promise<void> {
    const { accountId } = account;
    const realCounts = await countEach(current.events.map((state) => state.event));
    const totalPosts = await store.posts.count(accountId);
    const recentPosts = await store.posts.listRecent(accountId, RECENT_POST_LIMIT, 0);
    apply({ kind: 'posts-recounted', totalPosts, recentPosts, realCounts });
    isInDoubt = false;
  }

  async function capture(posts: readonly Post[], source: 'live' | 'history'): Promise<CapturedPost[]> {
    const unknown = posts.filter((post) => !rememberedIds.has(post.postId));
    if (unknown.length === 0) return [];
    const nowTs = clock.now();
    const captures = unknown.map((post) => toCapture(account, post, nowTs));
    const fresh = await write(() => store.posts.recordCaptures(captures));
    for (const post of unknown) remember(post.postId);
    if (fresh.length === 0) return [];
    if (source === 'live') for (const post of fresh) delays.add(post.firstSeenTs - post.createdTs);
    apply({ kind: 'posts-captured', posts: fresh, captureDelay: delays.summary() });
    return fresh;
  }

  async function listEvents(events: readonly MarketEvent[]): Promise<void> {
    await store.events.upsert(events);
    const realCounts = await countEach(events);
    const isBehind = isInDoubt || current.events.some((state) => isOther(realCounts, state));
    apply({ kind: 'events-listed', events, realCounts });
    if (isBehind) await recount();
    await restoreCounts(events);
  }

  /** Counted anew from the store each time: an import, or any slip, is put right within one poll. */
  async function countEach(events: readonly MarketEvent[]): Promise<Record<number, number>> {
    const counts: Record<number, number> = {};
    if (!hasOwnFeedAnswered()) return counts;
    for (const { eventId, window } of events) {
      counts[eventId] = await store.posts.countCounted(account.accountId, window.startTs, window.endTs);
    }
    return counts;
  }

  function hasOwnFeedAnswered(): boolean {
    return (
      current.totalPosts > 0 || current.feeds.some((feed) => feed.feed === 'own' && feed.updatedTs !== null)
    );
  }

  /** An event may come back to the board after a restart: its last oracle and page counts are in the store. */
  async function restoreCounts(events: readonly MarketEvent[]): Promise<void> {
    const bare = current.events.filter(
      (state) => state.counters.oracle === null && state.counters.ui === null,
    );
    const ids = bare
      .map((state) => state.event.eventId)
      .filter((id) => events.some((event) => event.eventId === id));
    if (ids.length === 0) return;
    for (const reading of await store.counts.latest(ids)) {
      apply({ kind: 'counts-read', feed: reading.feed, readings: [reading], observedTs: reading.observedTs });
    }
  }

  return {
    account,
    snapshot: () => current,
    capture: (posts, source) => inTurn(() => capture(posts, source)),
    markDeleted: (postIds, deletedTs) =>
      inTurn(async () => {
        const deletions = postIds.map(
          (postId): PostDeletion => ({ accountId: account.accountId, postId, deletedTs }),
        );
        const marked = await write(() => store.posts.recordDeletions(deletions, options.blankTextOnDeletion));
        if (marked.length === 0) return;
        apply({ kind: 'posts-deleted', deletions: marked, isTextBlanked: options.blankTextOnDeletion });
      }),
    listEvents: (events) => inTurn(() => listEvents(events)),
    readCounts: (feed, readings, asofTs) =>
      inTurn(async () => {
        if (readings.length === 0) return;
        const observedTs = asofTs ?? clock.now();
        await store.counts.record(readings.map((reading) => ({ ...reading, feed, observedTs })));
        apply({ kind: 'counts-read', feed, readings, observedTs });
      }),
    readQuotes: (quotes) =>
      inTurn(async () => {
        const changed = quotes.filter((quote) => isNews(current.quotes[quote.tokenId], quote));
        if (changed.length > 0) await store.quotes.record(changed);
        if (quotes.length > 0) apply({ kind: 'quotes-read', quotes });
      }),
    note: (observation) => inTurn(async () => apply(observation)),
    feedAnswered: (feed, { problem = null, alarm = null, asofTs } = {}) => {
      // When it answered, not when the work before it was done: a feed must not look fresher than it is.
      const observedTs = asofTs ?? clock.now();
      return inTurn(async () => apply({ kind: 'feed-answered', feed, observedTs, problem, alarm }));
    },
  };
}

function toCapture(account: Account, post: Post, nowTs: number): CapturedPost {
  return { ...post, firstSeenTs: nowTs, deletedTs: null, isCounted: isCountedBy(account.countingRule, post) };
}

function isOther(realCounts: Readonly<Record<number, number>>, { event, counters }: EventState): boolean {
  const stored = realCounts[event.eventId];
  return stored !== undefined && counters.real !== null && stored !== counters.real;
}

function isNews(before: Quote | undefined, quote: Quote): boolean {
  if (!before) return true;
  return (
    before.bid !== quote.bid ||
    before.ask !== quote.ask ||
    before.lastTradePrice !== quote.lastTradePrice ||
    before.bidShares !== quote.bidShares ||
    before.askShares !== quote.askShares
  );
}
