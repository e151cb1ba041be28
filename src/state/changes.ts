// Changes between two snapshots of an account, as live-stream messages. Pure.

import { computeMarketPrice } from '../domain/book.ts';
import { findFeed, isStale, nameFeed } from '../domain/feed.ts';
import type { CapturedPost } from '../domain/post.ts';
import type { AccountSnapshot, EventState, SettledCount } from './snapshot.ts';

export type StreamChange =
  | { kind: 'counters'; eventId: number }
  | { kind: 'post'; post: CapturedPost }
  | { kind: 'forecast'; eventId: number }
  | { kind: 'price'; eventId: number; bucketLabel: string; marketPrice: number | null }
  | { kind: 'feed'; feed: string }
  | { kind: 'settlement'; eventId: number; settlement: SettledCount };

export function listChanges(previous: AccountSnapshot, next: AccountSnapshot): StreamChange[] {
  return [
    ...postChanges(previous, next),
    ...next.events.flatMap((state) => eventChanges(findEvent(previous, state.event.eventId), state)),
    ...priceChanges(previous, next),
    ...feedChanges(previous, next),
  ];
}

function findEvent(snapshot: AccountSnapshot, eventId: number): EventState | undefined {
  return snapshot.events.find((state) => state.event.eventId === eventId);
}

function eventChanges(before: EventState | undefined, after: EventState): StreamChange[] {
  const { eventId } = after.event;
  const changes: StreamChange[] = [];
  if (!before || hasOtherCounts(before, after)) changes.push({ kind: 'counters', eventId });
  if (after.forecast !== null && after.forecast !== (before?.forecast ?? null))
    changes.push({ kind: 'forecast', eventId });
  if (after.settlement && after.settlement.revision !== before?.settlement?.revision) {
    changes.push({ kind: 'settlement', eventId, settlement: after.settlement });
  }
  return changes;
}

function hasOtherCounts(earlier: EventState, later: EventState): boolean {
  const [before, after] = [earlier.counters, later.counters];
  if (before.real !== after.real || before.oracle !== after.oracle || before.ui !== after.ui) return true;
  const [doubt, doubtNow] = [earlier.doubt, later.doubt];
  return doubt?.counted !== doubtNow?.counted || doubt?.uncounted !== doubtNow?.uncounted;
}

/** New posts, oldest first, followed by newly deleted posts. */
function postChanges(previous: AccountSnapshot, next: AccountSnapshot): StreamChange[] {
  if (previous.recentPosts === next.recentPosts) return [];
  const known = new Map(previous.recentPosts.map((post) => [post.postId, post]));
  // A post older than the previous end of the list appears only because the list grew, so it is not new.
  const oldestKnownTs = previous.recentPosts.at(-1)?.createdTs ?? Number.POSITIVE_INFINITY;
  const isNews = (post: CapturedPost) => !known.has(post.postId) && post.createdTs >= oldestKnownTs;
  const fresh = previous.recentPosts.length === 0 ? [] : next.recentPosts.filter(isNews).toReversed();
  const deleted = next.recentPosts.filter(
    (post) => post.deletedTs !== null && known.get(post.postId)?.deletedTs === null,
  );
  return [...fresh, ...deleted].map((post) => ({ kind: 'post', post }));
}

function priceChanges(previous: AccountSnapshot, next: AccountSnapshot): StreamChange[] {
  if (previous.quotes === next.quotes) return [];
  return next.events.flatMap(({ event }) =>
    event.buckets.flatMap((bucket): StreamChange[] => {
      const quote = next.quotes[bucket.yesTokenId];
      if (quote === previous.quotes[bucket.yesTokenId]) return [];
      const marketPrice = computeMarketPrice(quote, bucket.listedPrice);
      if (marketPrice === computeMarketPrice(previous.quotes[bucket.yesTokenId], bucket.listedPrice))
        return [];
      return [{ kind: 'price', eventId: event.eventId, bucketLabel: bucket.label, marketPrice }];
    }),
  );
}

/** A feed changes when it becomes stale, recovers, completes its past or has a different problem. */
function feedChanges(previous: AccountSnapshot, next: AccountSnapshot): StreamChange[] {
  const isPastChanged = (previous.isPastMissing ?? false) !== (next.isPastMissing ?? false);
  return next.feeds.flatMap((after): StreamChange[] => {
    const before = findFeed(previous.feeds, after.feed, after.venue);
    const wasStale = before ? isStale(before, previous.takenTs) : true;
    const hasChanged =
      wasStale !== isStale(after, next.takenTs) ||
      before?.problem !== after.problem ||
      (isPastChanged && after.feed === 'own');
    return hasChanged ? [{ kind: 'feed', feed: nameFeed(after) }] : [];
  });
}

// Finds counts that fell between two snapshots by more than doubtful posts explain.

export interface FallenCount {
  eventId: number;
  from: number;
  to: number;
  /** True if the contract excludes deleted posts, so that a deletion lowers the count. */
  losesDeleted: boolean;
}

export function findFallenCounts(previous: AccountSnapshot, next: AccountSnapshot): FallenCount[] {
  // Cheap exit for the usual case: prices change far more often than events.
  if (previous.events === next.events) return [];
  const before = new Map(previous.events.map((state) => [state.event.eventId, state]));
  return next.events.flatMap((state) => compare(before.get(state.event.eventId), state) ?? []);
}

/** With a different window or rule it is a different count, so there is nothing to compare. */
function compare(before: EventState | undefined, after: EventState): FallenCount | null {
  if (!before || before === after || !hasSameTerms(before, after)) return null;
  const { real: from } = before.counters;
  const { real: to } = after.counters;
  if (from === null || to === null) return null;
  // Only posts that were doubtful before can turn out not to count.
  const doubtful = before.doubt?.counted ?? 0;
  const { eventId } = after.event;
  return from - to > doubtful ? { eventId, from, to, losesDeleted: losesDeleted(after) } : null;
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
