// What an observation changed in an account's state. Only this room compares snapshots: everybody else reads
// changes. Pure.

import type { VenueId } from '../domain/contract.ts';
import type { FeedName } from '../domain/feed.ts';
import { findFeed, isStale } from '../domain/feed.ts';
import type { Counters } from '../domain/market-event.ts';
import type { CapturedPost } from '../domain/post.ts';
import { computeMarketPrice } from '../domain/quote.ts';
import type { AccountSnapshot, EventState, Observation, SettledCount } from './snapshot.ts';

/** Why a count changed: a post, a count read again from the store, or what the oracle or the venue's page shows. */
export type CountReason = 'post' | 'recount' | 'oracle' | 'page';

export type Change =
  /** The whole snapshot is new: after a start, a change of leader or a gap. Anything may have changed. */
  | { kind: 'replaced' }
  /** The first posts or events arrived. */
  | { kind: 'begun' }
  /** Captured posts are oldest first; none if all of them are older than the recent ones. */
  | { kind: 'posts'; captured: readonly CapturedPost[]; deleted: readonly CapturedPost[] }
  /** An event is listed for the first time, or its terms or ladder differ from before. */
  | { kind: 'listed'; eventId: number; isNew: boolean }
  /** An event that ended a day ago left the snapshot. */
  | { kind: 'dropped'; eventId: number }
  | { kind: 'count'; eventId: number; before: Counters; after: Counters; reason: CountReason }
  | { kind: 'forecast'; eventId: number }
  | { kind: 'settled'; eventId: number; settlement: SettledCount }
  /** The market price of Yes. */
  | { kind: 'price'; eventId: number; bucket: string; price: number | null }
  /** Bid, ask or depth of a bucket's books. */
  | { kind: 'book'; eventId: number; bucket: string }
  /** A feed went stale, answered again, has another problem, or its past became complete or incomplete. */
  | { kind: 'feed'; feed: FeedName; venue?: VenueId; now: 'fresh' | 'stale' }
  | { kind: 'advice' };

/** What an observation led to. */
export interface Step {
  snapshot: AccountSnapshot;
  changes: readonly Change[];
  /** Absent if a whole snapshot replaced the last one. */
  observation?: Observation;
}

/** The step to a snapshot that did not follow from the last one by an observation. */
export function replaceWith(snapshot: AccountSnapshot): Step {
  return { snapshot, changes: [{ kind: 'replaced' }] };
}

/** In the order in which readers hear of them. */
export function listChanges(before: AccountSnapshot, after: AccountSnapshot, reason: CountReason): Change[] {
  return [
    ...(hasBegun(before, after) ? [{ kind: 'begun' } as const] : []),
    ...postChanges(before, after),
    ...eventChanges(before, after, reason),
    ...priceChanges(before, after),
    ...feedChanges(before, after),
    ...(before.standing === after.standing && before.evidence === after.evidence
      ? []
      : [{ kind: 'advice' } as const]),
  ];
}

function hasBegun(before: AccountSnapshot, after: AccountSnapshot): boolean {
  return (
    (before.recentPosts.length === 0 && after.recentPosts.length > 0) ||
    (before.events.length === 0 && after.events.length > 0)
  );
}

function postChanges(before: AccountSnapshot, after: AccountSnapshot): Change[] {
  if (before.recentPosts === after.recentPosts && before.totalPosts === after.totalPosts) return [];
  const known = new Map(before.recentPosts.map((post) => [post.postId, post]));
  // A post older than the previous end of the list appears only because the list grew, so it is not new.
  const oldestKnownTs = before.recentPosts.at(-1)?.createdTs ?? Number.POSITIVE_INFINITY;
  const isNews = (post: CapturedPost) => !known.has(post.postId) && post.createdTs >= oldestKnownTs;
  const captured = after.recentPosts.filter(isNews).toReversed();
  const deleted = after.recentPosts.filter(
    (post) => post.deletedTs !== null && known.get(post.postId)?.deletedTs === null,
  );
  return [{ kind: 'posts', captured, deleted }];
}

function eventChanges(before: AccountSnapshot, after: AccountSnapshot, reason: CountReason): Change[] {
  if (before.events === after.events) return [];
  const known = new Map(before.events.map((state) => [state.event.eventId, state]));
  const changes = after.events.flatMap((state) => {
    const earlier = known.get(state.event.eventId);
    known.delete(state.event.eventId);
    return earlier === state ? [] : stateChanges(earlier, state, reason);
  });
  return [...changes, ...[...known.keys()].map((eventId) => ({ kind: 'dropped' as const, eventId }))];
}

function stateChanges(before: EventState | undefined, after: EventState, reason: CountReason): Change[] {
  const { eventId } = after.event;
  const changes: Change[] = [];
  if (before?.event !== after.event) changes.push({ kind: 'listed', eventId, isNew: !before });
  if (before && hasOtherCounts(before, after))
    changes.push({ kind: 'count', eventId, before: before.counters, after: after.counters, reason });
  if (after.forecast !== null && after.forecast !== (before?.forecast ?? null))
    changes.push({ kind: 'forecast', eventId });
  if (after.settlement && after.settlement.revision !== before?.settlement?.revision)
    changes.push({ kind: 'settled', eventId, settlement: after.settlement });
  return changes;
}

function hasOtherCounts(earlier: EventState, later: EventState): boolean {
  const [before, after] = [earlier.counters, later.counters];
  if (before.real !== after.real || before.oracle !== after.oracle || before.ui !== after.ui) return true;
  return DOUBTS.some((kind) => earlier.doubt?.[kind] !== later.doubt?.[kind]);
}

const DOUBTS = ['counted', 'uncounted', 'ownThread', 'otherThread'] as const;

function priceChanges(before: AccountSnapshot, after: AccountSnapshot): Change[] {
  if (before.quotes === after.quotes) return [];
  return after.events.flatMap(({ event: { eventId, buckets } }) =>
    buckets.flatMap(({ label, yesTokenId, noTokenId, listedPrice }): Change[] => {
      const [was, is] = [before.quotes[yesTokenId], after.quotes[yesTokenId]];
      if (was === is && before.quotes[noTokenId] === after.quotes[noTokenId]) return [];
      const price = computeMarketPrice(is, listedPrice);
      const book: Change = { kind: 'book', eventId, bucket: label };
      return price === computeMarketPrice(was, listedPrice)
        ? [book]
        : [book, { kind: 'price', eventId, bucket: label, price }];
    }),
  );
}

function feedChanges(before: AccountSnapshot, after: AccountSnapshot): Change[] {
  const isPastChanged = (before.isPastMissing ?? false) !== (after.isPastMissing ?? false);
  return after.feeds.flatMap((status): Change[] => {
    const { feed, venue } = status;
    const earlier = findFeed(before.feeds, feed, venue);
    const wasStale = earlier ? isStale(earlier, before.takenTs) : true;
    const isStaleNow = isStale(status, after.takenTs);
    const hasChanged =
      wasStale !== isStaleNow || earlier?.problem !== status.problem || (isPastChanged && feed === 'own');
    const now = isStaleNow ? 'stale' : 'fresh';
    return hasChanged ? [{ kind: 'feed', feed, ...(venue && { venue }), now }] : [];
  });
}

// A count falls only by posts that were doubtful, or by deletions where the contract leaves deleted posts out.

export interface FallenCount {
  eventId: number;
  from: number;
  to: number;
}

/** Counts that fell by more than doubts and these deletions explain; null if nobody knows how many there were. */
export function findFallenCounts(
  before: AccountSnapshot,
  after: AccountSnapshot,
  deletions: number | null,
): FallenCount[] {
  // Cheap exit for the usual case: prices change far more often than events.
  if (before.events === after.events) return [];
  const known = new Map(before.events.map((state) => [state.event.eventId, state]));
  return after.events.flatMap((state) => findFall(known.get(state.event.eventId), state, deletions) ?? []);
}

/** With a different window or rule it is a different count, so there is nothing to compare. */
function findFall(
  before: EventState | undefined,
  after: EventState,
  deletions: number | null,
): FallenCount | null {
  if (!before || before === after || !hasSameTerms(before, after)) return null;
  const { real: from } = before.counters;
  const { real: to } = after.counters;
  if (from === null || to === null) return null;
  const fallen = from - to;
  // Only posts that were doubtful before can turn out not to count.
  if (fallen <= (before.doubt?.counted ?? 0)) return null;
  const isExplained = losesDeleted(after) && (deletions === null || fallen <= deletions);
  return isExplained ? null : { eventId: after.event.eventId, from, to };
}

function hasSameTerms({ event: before }: EventState, { event: after }: EventState): boolean {
  if (before === after) return true;
  const { startTs, endTs } = after.window;
  const isSameWindow = before.window.startTs === startTs && before.window.endTs === endTs;
  const rules = [before, after].map(({ terms }) => JSON.stringify(terms?.countingRule ?? null));
  return isSameWindow && rules[0] === rules[1];
}

export function losesDeleted({ event }: EventState): boolean {
  return event.terms?.countingRule.deletedPosts === false;
}
