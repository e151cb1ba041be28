// The single entry point for an account's observations: store first, then state, then the board. Calls run
// one at a time, so that a post captured while the count is read from the store is counted exactly once.

import { isDeepStrictEqual } from 'node:util';
import type { Account } from '../../domain/account.ts';
import type { VenueId } from '../../domain/contract.ts';
import type { FeedName } from '../../domain/feed.ts';
import type { MarketEvent } from '../../domain/market-event.ts';
import type { CapturedPost, Post } from '../../domain/post.ts';
import type { Quote } from '../../domain/quote.ts';
import { MINUTE_MS } from '../../domain/units.ts';
import type { AccountSnapshot, EventState, Observation } from '../../state/snapshot.ts';
import type { CountFeed } from '../../store/ports.ts';
import { createPostRecorder, type MarkPosts } from './post-recorder.ts';
import { createRecorderState, type RecorderOptions } from './recorder-state.ts';

export type { MarkPosts } from './post-recorder.ts';

export interface AccountRecorder {
  readonly account: Account;
  snapshot(): AccountSnapshot;
  /** Resolves once new posts are durable and counted, and returns them. */
  capture(
    posts: readonly Post[],
    how: 'live' | 'history',
    source?: string,
    mark?: MarkPosts,
  ): Promise<CapturedPost[]>;
  /** Changes the verdict on doubtful posts, which may stay doubtful. */
  judgeAgain(posts: readonly CapturedPost[]): Promise<void>;
  markDeleted(postIds: readonly string[], deletedTs: number): Promise<void>;
  listEvents(events: readonly MarketEvent[]): Promise<void>;
  /** `asofTs` is the time the counts refer to; now by default. */
  readCounts(
    feed: CountFeed,
    readings: readonly { eventId: number; count: number }[],
    asofTs?: number | null,
  ): Promise<void>;
  readQuotes(quotes: readonly Quote[]): Promise<void>;
  /** Applies data that is not stored as rows: feed freshness, published forecasts. */
  note(observation: Observation): Promise<void>;
  feedAnswered(feed: FeedName, report?: FeedReport): Promise<void>;
}

/** What a feed reports after a response. */
export interface FeedReport {
  /** Set for an additional venue. */
  venue?: VenueId | undefined;
  /** Why the response is incomplete. */
  problem?: string | null;
  /** A problem the operator must fix. */
  alarm?: string | null;
  /** The time the response refers to; now by default. */
  asofTs?: number;
  /** Which source responded, if a feed has several. */
  from?: { source: string; lagMs: number; staleAfterMs: number };
}

const RECOUNT_EVERY_MS = MINUTE_MS;

export function createAccountRecorder(options: RecorderOptions): AccountRecorder {
  const { account, store, clock } = options;
  const { accountId } = account;
  const state = createRecorderState(options);
  const { inTurn, apply } = state;
  const posts = createPostRecorder(options, state);

  let recountedTs = Number.NEGATIVE_INFINITY;
  /** Books that only confirm the last quote change nothing; this says which later ones are older. */
  const seenTs = new Map<string, number>();

  async function listEvents(listed: readonly MarketEvent[]): Promise<void> {
    const known = new Map(state.current().events.map(({ event }) => [event.eventId, event]));
    const events = listed.map((event) => keepUnchanged(known.get(event.eventId), event));
    const changed = events.filter((event) => known.get(event.eventId) !== event);
    if (changed.length > 0) await store.events.upsert(changed);
    const { realCounts, doubts } =
      changed.length > 0 || isRecountDue() ? await countFromStore(events) : { realCounts: {}, doubts: {} };
    const isBehind =
      state.isUncertain() || state.current().events.some((state) => isOther(realCounts, state));
    const deletions = state.countDeletions();
    apply({ kind: 'events-listed', events: changed, realCounts, doubts, deletions });
    if (isBehind) await state.recount();
    await restoreCounts(events);
    const { quotes } = state.current();
    for (const tokenId of seenTs.keys()) if (!(tokenId in quotes)) seenTs.delete(tokenId);
  }

  /** The store may have gained posts by an import, and a recount corrects any error. */
  function isRecountDue(): boolean {
    const { events } = state.current();
    return (
      clock.now() - recountedTs >= RECOUNT_EVERY_MS || events.some(({ counters }) => counters.real === null)
    );
  }

  async function countFromStore(events: readonly MarketEvent[]) {
    const counted = await state.countEach(events);
    recountedTs = clock.now();
    return counted;
  }

  /** After a restart, restores the last oracle and page counts of events from the store. */
  async function restoreCounts(events: readonly MarketEvent[]): Promise<void> {
    const bare = state
      .current()
      .events.filter((state) => state.counters.oracle === null && state.counters.ui === null);
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
    snapshot: state.current,
    capture: (seen, how, source, mark) => inTurn(() => posts.capture(seen, how, source, mark)),
    judgeAgain: (given) => inTurn(() => posts.judgeAgain(given)),
    markDeleted: (postIds, deletedTs) =>
      inTurn(() => posts.markDeleted(postIds.map((postId) => ({ accountId, postId, deletedTs })))),
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
        const known = state.current().quotes;
        const changed = quotes.filter((quote) =>
          isNews(known[quote.tokenId], seenTs.get(quote.tokenId), quote),
        );
        for (const { tokenId, observedTs } of quotes)
          seenTs.set(tokenId, Math.max(observedTs, seenTs.get(tokenId) ?? 0));
        if (changed.length === 0) return;
        await store.quotes.record(changed);
        apply({ kind: 'quotes-read', quotes: changed });
      }),
    note: (observation) => inTurn(async () => apply(observation)),
    feedAnswered: (feed, { venue, problem = null, alarm = null, asofTs, from } = {}) => {
      // Uses the response time, not the time of this queued write: a feed must not look fresher than it is.
      const observedTs = asofTs ?? clock.now();
      const answer = { feed, venue, observedTs, problem, alarm, ...(from ? { from } : {}) };
      return inTurn(async () => apply({ kind: 'feed-answered', ...answer }));
    },
  };
}

/** An event that is listed as before stays the same object, so that nothing follows from it. */
function keepUnchanged(known: MarketEvent | undefined, event: MarketEvent): MarketEvent {
  return known && isDeepStrictEqual(known, event) ? known : event;
}

function isOther(realCounts: Readonly<Record<number, number>>, { event, counters }: EventState): boolean {
  const stored = realCounts[event.eventId];
  return stored !== undefined && counters.real !== null && stored !== counters.real;
}

/** A quote older than the last one seen is never published, so the history must not end with it. */
function isNews(before: Quote | undefined, seenTs: number | undefined, quote: Quote): boolean {
  if (!before) return true;
  if (Math.max(before.observedTs, seenTs ?? 0) > quote.observedTs) return false;
  return (
    before.bid !== quote.bid ||
    before.ask !== quote.ask ||
    before.lastTradePrice !== quote.lastTradePrice ||
    before.bidShares !== quote.bidShares ||
    before.askShares !== quote.askShares
  );
}

/** Sets the problem for one subject in an account's health, if it changed; null clears it. */
export async function reportProblem(
  recorder: AccountRecorder,
  about: string,
  text: string | null,
): Promise<void> {
  const shown = recorder.snapshot().notices?.[about] ?? null;
  if (text !== shown) await recorder.note({ kind: 'notice-set', about, text });
}

/** Sets or clears a remark that degrades nothing. */
export async function reportRemark(
  recorder: AccountRecorder,
  about: string,
  text: string | null,
): Promise<void> {
  const shown = recorder.snapshot().remarks?.[about] ?? null;
  if (text !== shown) await recorder.note({ kind: 'remark-set', about, text });
}
