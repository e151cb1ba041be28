// The single entry point for an account's observations: store first, then state, then the board. Calls run
// one after the other, so that a post captured while the count is read from the store is counted exactly
// once.

import type { Account } from '../../domain/account.ts';
import type { VenueId } from '../../domain/contract.ts';
import { isCountedBy, isInDoubt } from '../../domain/counting-rule.ts';
import type { FeedName } from '../../domain/feed.ts';
import type { MarketEvent } from '../../domain/market-event.ts';
import type { CapturedPost, Post, PostDeletion } from '../../domain/post.ts';
import type { Quote } from '../../domain/quote.ts';
import type { Clock } from '../../runtime/clock.ts';
import { expectInvariant } from '../../runtime/invariants.ts';
import { isAhead } from '../../sources/future-posts.ts';
import { applyObservation } from '../../state/apply-observation.ts';
import type { Board } from '../../state/board.ts';
import { findFallenCounts, losesDeleted } from '../../state/fallen-counts.ts';
import type { Observation } from '../../state/observation.ts';
import { type AccountSnapshot, type EventState, RECENT_POST_LIMIT } from '../../state/snapshot.ts';
import type { CountFeed, Store } from '../../store/ports.ts';
import type { CaptureDelays } from './capture-delays.ts';
import { countEvents, type OwnCounts } from './own-counts.ts';
import { createSightings } from './sightings.ts';

export interface AccountRecorder {
  readonly account: Account;
  snapshot(): AccountSnapshot;
  /** Resolves once the new ones are durable and counted; returns them. */
  capture(
    posts: readonly Post[],
    how: 'live' | 'history',
    source?: string,
    mark?: MarkPosts,
  ): Promise<CapturedPost[]>;
  markDeleted(postIds: readonly string[], deletedTs: number): Promise<void>;
  listEvents(events: readonly MarketEvent[]): Promise<void>;
  /** `asofTs` is the time of the counts; now by default. */
  readCounts(
    feed: CountFeed,
    readings: readonly { eventId: number; count: number }[],
    asofTs?: number | null,
  ): Promise<void>;
  readQuotes(quotes: readonly Quote[]): Promise<void>;
  /** Data without rows: freshness of feeds, published forecasts. */
  note(observation: Observation): Promise<void>;
  feedAnswered(feed: FeedName, report?: FeedReport): Promise<void>;
}

/** Marks posts by the ones already known. Runs in turn, so that two sources never miss each other's posts. */
export type MarkPosts = (posts: readonly Post[], known: readonly CapturedPost[]) => readonly Post[];

/** A feed's answer. */
export interface FeedReport {
  /** Set for an additional venue. */
  venue?: VenueId | undefined;
  /** Why the answer is incomplete. */
  problem?: string | null;
  /** What an operator must fix. */
  alarm?: string | null;
  /** Time of the answer; now by default. */
  asofTs?: number;
  /** Which source answered, if a feed has several. */
  from?: { source: string; lagMs: number; staleAfterMs: number };
}

export interface RecorderOptions {
  account: Account;
  initial: AccountSnapshot;
  store: Store;
  board: Board;
  clock: Clock;
  delays: CaptureDelays;
  blankTextOnDeletion: boolean;
  /** Posts that no source has settled as counted or not. */
  doubtfulIds?: readonly string[];
}

export function createAccountRecorder(options: RecorderOptions): AccountRecorder {
  const { account, store, board, clock, delays } = options;
  let current = options.initial;
  let queue: Promise<unknown> = Promise.resolve();
  /**
   * A write without an answer may have succeeded: until the next read, the store may have more than the
   * snapshot.
   */
  let isUncertain = false;
  /** Deletions recorded since the counts were last read from the store; they lower counts under some rules. */
  let deletedSinceRead = 0;
  const sightings = createSightings(current.recentPosts, options.doubtfulIds ?? []);
  /** For posts that a source reports as deleted with every answer. */
  const knownGone = new Set<string>();
  board.publish(current);

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = queue.then(work);
    queue = result.catch(() => {});
    return result;
  }

  function apply(observation: Observation): void {
    const previous = current;
    current = applyObservation(current, observation, clock.now());
    expectRecordedDeletions(previous);
    board.publish(current);
  }

  function expectRecordedDeletions(previous: AccountSnapshot): void {
    const fallen = findFallenCounts(previous, current).find((count) => count.losesDeleted);
    const isExplained = !fallen || isUncertain || fallen.from - fallen.to <= deletedSinceRead;
    expectInvariant('count-fell', isExplained, () => ({ ...fallen, deletedSinceRead }));
  }

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
    apply({ kind: 'posts-recounted', totalPosts, recentPosts, realCounts, doubts });
    isUncertain = false;
    deletedSinceRead = 0;
  }

  async function capture(
    posts: readonly Post[],
    how: 'live' | 'history',
    source: string | undefined,
    mark?: MarkPosts,
  ): Promise<CapturedPost[]> {
    const nowTs = clock.now();
    const marked = mark?.(posts, current.recentPosts) ?? posts;
    const present = marked.filter((post) => !isAhead(post.createdTs, nowTs));
    const seen = present.map((post) => toCapture(account, post, nowTs, source));
    await compare(
      seen.filter((post) => sightings.has(post.postId)),
      mark !== undefined,
    );
    await noteGone(seen.filter((post) => sightings.has(post.postId) && post.deletedTs !== null));
    const unknown = seen.filter((post) => !sightings.has(post.postId));
    if (unknown.length === 0) return [];
    const recorded = await write(() => store.posts.recordCaptures(unknown));
    // Versions are used to find a post's row; they are not shown.
    const fresh = recorded.map(({ versionIds: _, ...post }) => post);
    for (const [index, post] of present.entries()) sightings.add(seen[index]!, post.versionIds ?? []);
    if (fresh.length === 0) return [];
    if (how === 'live') for (const post of fresh) delays.add(post.firstSeenTs - post.createdTs);
    apply({ kind: 'posts-captured', posts: fresh, captureDelay: delays.summary() });
    return fresh;
  }

  /**
   * Seen before, by this source or another: a better source settles doubts; contradictions are reported. A
   * source that hides edits repeats a possible one with every answer, which settles nothing.
   */
  async function compare(again: readonly CapturedPost[], mayHideEdits: boolean): Promise<void> {
    const settling = again.filter((post) => !post.isDoubtful && sightings.isDoubtful(post.postId));
    if (settling.length > 0) {
      const settled = await write(() => store.posts.settleDoubts(settling, mayHideEdits));
      for (const post of mayHideEdits ? settled : settling) sightings.settle(post);
      if (settled.length > 0) await recount();
    }
    const contradiction = again
      .map((post) => sightings.findContradiction(post))
      .find((text) => text !== null);
    if (contradiction) apply({ kind: 'notice-set', about: 'contradiction', text: contradiction });
  }

  /** Marked once: later checks find the row already marked. */
  async function noteGone(gone: readonly CapturedPost[]): Promise<void> {
    const fresh = gone.filter(({ postId }) => !knownGone.has(postId));
    if (fresh.length === 0) return;
    await markDeleted(fresh.map(({ postId, deletedTs }) => toDeletion(postId, deletedTs!)));
    for (const { postId } of fresh) knownGone.add(postId);
  }

  async function markDeleted(deletions: readonly PostDeletion[]): Promise<void> {
    const isTextBlanked = options.blankTextOnDeletion;
    const marked = await write(() => store.posts.recordDeletions(deletions, isTextBlanked));
    if (marked.length === 0) return;
    deletedSinceRead += marked.length;
    apply({ kind: 'posts-deleted', deletions: marked, isTextBlanked });
    if (current.events.some(losesDeleted)) await recount();
  }

  function toDeletion(postId: string, deletedTs: number): PostDeletion {
    return { accountId: account.accountId, postId, deletedTs };
  }

  async function listEvents(events: readonly MarketEvent[]): Promise<void> {
    await store.events.upsert(events);
    const { realCounts, doubts } = await countEach(events);
    const isBehind = isUncertain || current.events.some((state) => isOther(realCounts, state));
    apply({ kind: 'events-listed', events, realCounts, doubts });
    if (isBehind) await recount();
    await restoreCounts(events);
  }

  /** Counted from the store each time: an import, or any error, is corrected within one poll. */
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

  /** After a restart an event returns to the board with its last oracle and page counts from the store. */
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
    capture: (posts, how, source, mark) => inTurn(() => capture(posts, how, source, mark)),
    markDeleted: (postIds, deletedTs) =>
      inTurn(() => markDeleted(postIds.map((postId) => toDeletion(postId, deletedTs)))),
    listEvents: (events) => inTurn(() => listEvents(events)),
    readCounts: (feed, readings, asofTs) =>
      inTurn(async () => {
        if (readings.length === 0) return;
        const observedTs = Math.min(clock.now(), asofTs ?? Number.POSITIVE_INFINITY);
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
    feedAnswered: (feed, { venue, problem = null, alarm = null, asofTs, from } = {}) => {
      // The time of the answer, not of this queued write: a feed must not look fresher than it is.
      const observedTs = asofTs ?? clock.now();
      const answer = { feed, venue, observedTs, problem, alarm, ...(from ? { from } : {}) };
      return inTurn(async () => apply({ kind: 'feed-answered', ...answer }));
    },
  };
}

function toCapture(
  account: Account,
  { isDoubtful: isUndecided = false, mayBeEdit = false, ...post }: Post,
  nowTs: number,
  source: string | undefined,
): CapturedPost {
  const judged = { ...post, isDoubtful: isUndecided };
  const isCounted = isCountedBy(account.countingRule, judged);
  const isDoubtful = isInDoubt(account.countingRule, judged) || (mayBeEdit && isCounted);
  return {
    ...post,
    firstSeenTs: nowTs,
    deletedTs: post.deletedTs ?? null,
    // Most posts that repeat their words under a new id were edited; the bounds cover the rest.
    isCounted: isCounted && !mayBeEdit,
    ...(isDoubtful ? { isDoubtful: true } : {}),
    ...(source === undefined ? {} : { firstSource: source }),
  };
}

function isOther(realCounts: Readonly<Record<number, number>>, { event, counters }: EventState): boolean {
  const stored = realCounts[event.eventId];
  return stored !== undefined && counters.real !== null && stored !== counters.real;
}

/** A quote that a newer one has overtaken is never shown, so the history must not end with it. */
function isNews(before: Quote | undefined, quote: Quote): boolean {
  if (!before) return true;
  if (before.observedTs > quote.observedTs) return false;
  return (
    before.bid !== quote.bid ||
    before.ask !== quote.ask ||
    before.lastTradePrice !== quote.lastTradePrice ||
    before.bidShares !== quote.bidShares ||
    before.askShares !== quote.askShares
  );
}
