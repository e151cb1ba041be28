// The only state transition: applies an observation to a snapshot and returns the next snapshot with what changed.
// Pure.

import { countsFor, type VenueId } from '../domain/contract.ts';
import type { FeedName, FeedStatus } from '../domain/feed.ts';
import { type BucketRange, isInside, type MarketEvent } from '../domain/market-event.ts';
import { type CapturedPost, compareIds, type PostDeletion } from '../domain/post.ts';
import type { Quote } from '../domain/quote.ts';
import type { StandingAdviceByEvent } from '../domain/standing-advice.ts';
import { DAY_MS } from '../domain/units.ts';
import { expectInvariant } from '../runtime/invariants.ts';
import { type CountReason, findFallenCounts, listChanges, type Step } from './changes.ts';
import {
  type AccountSnapshot,
  type CountDoubt,
  type CountReading,
  type EventState,
  type Observation,
  type PublishedForecast,
  RECENT_POST_LIMIT,
  type StandingChanges,
} from './snapshot.ts';

export function applyObservation(snapshot: AccountSnapshot, observation: Observation, nowTs: number): Step {
  const changed = change(snapshot, observation, nowTs);
  const next = { ...snapshot, ...changed, version: snapshot.version + 1, takenTs: nowTs };
  const changes = listChanges(snapshot, next, reasonOf(observation));
  // Almost every second passes without a feed going stale, and is no news then.
  if (observation.kind === 'clock' && changes.length === 0) return { snapshot, changes, observation };
  expectGrowth(snapshot, next, observation);
  return { snapshot: next, changes, observation };
}

function reasonOf(observation: Observation): CountReason {
  if (observation.kind === 'posts-captured') return 'post';
  if (observation.kind !== 'counts-read') return 'recount';
  return observation.feed === 'oracle' ? 'oracle' : 'page';
}

function expectGrowth(before: AccountSnapshot, after: AccountSnapshot, observation: Observation): void {
  const [fallen] = findFallenCounts(before, after, deletionsBefore(observation));
  expectInvariant('count-fell', !fallen, () => ({ accountId: after.accountId, ...fallen }));
}

function deletionsBefore(observation: Observation): number | null {
  const isRead = observation.kind === 'posts-recounted' || observation.kind === 'events-listed';
  return isRead && observation.deletions !== undefined ? observation.deletions : 0;
}

function change(
  snapshot: AccountSnapshot,
  observation: Observation,
  nowTs: number,
): Partial<AccountSnapshot> {
  switch (observation.kind) {
    case 'posts-captured':
      return {
        events: snapshot.events.map((state) => addPosts(state, observation.posts)),
        recentPosts: mergeRecent(snapshot.recentPosts, observation.posts),
        totalPosts: snapshot.totalPosts + observation.posts.length,
        captureDelay: observation.captureDelay,
      };
    case 'posts-recounted':
      return {
        events: snapshot.events.map((state) =>
          setDoubt(setRealCount(state, observation.realCounts), observation.doubts),
        ),
        recentPosts: observation.recentPosts,
        totalPosts: observation.totalPosts,
      };
    case 'posts-deleted':
      return {
        recentPosts: markDeleted(snapshot.recentPosts, observation.deletions, observation.isTextBlanked),
      };
    case 'events-listed':
      return listEvents(snapshot, observation, nowTs);
    case 'counts-read':
      return {
        events: readCounts(snapshot.events, observation.feed, observation.readings, observation.observedTs),
      };
    case 'clock':
      return {};
    case 'quotes-read':
      return { quotes: mergeQuotes(snapshot.quotes, observation.quotes) };
    case 'feed-answered':
      return {
        feeds: updateFeed(snapshot.feeds, observation, {
          updatedTs: observation.observedTs,
          problem: observation.problem ?? null,
          alarm: observation.alarm ?? null,
          ...observation.from,
        }),
      };
    case 'sources-set':
      return { postSources: observation.sources };
    case 'notice-set':
      return { notices: setEntry(snapshot.notices ?? {}, observation.about, observation.text) };
    case 'remark-set':
      return { remarks: setEntry(snapshot.remarks ?? {}, observation.about, observation.text) };
    case 'feed-troubled':
      return { feeds: updateFeed(snapshot.feeds, observation, { problem: observation.problem }) };
    case 'past-set':
      return { isPastMissing: observation.isMissing };
    case 'event-settled':
      return {
        events: snapshot.events.map((state) =>
          state.event.eventId === observation.eventId
            ? { ...state, settlement: observation.settlement }
            : state,
        ),
      };
    case 'advice-published':
      return {
        standing: mergeStanding(snapshot.standing, observation.standing),
        ...(observation.evidence && { evidence: observation.evidence }),
      };
    case 'forecasts-published':
      return {
        events: attachForecasts(snapshot.events, observation.forecasts),
        activity: observation.activity,
        ...(observation.jointFinals !== undefined && { jointFinals: observation.jointFinals }),
        ...(observation.countedKinds && { countedKinds: observation.countedKinds }),
        feeds: updateFeed(snapshot.feeds, { feed: 'forecast' }, { updatedTs: nowTs, problem: null }),
      };
  }
}

function addPosts(state: EventState, posts: readonly CapturedPost[]): EventState {
  const inside = posts.filter((post) => isInside(state.event.window, post.createdTs));
  const added = inside.filter((post) => countsFor(state.event, post)).length;
  const contested = inside.filter((post) => post.isDoubtful || post.isSelfReply);
  // Once the first posts are known, a window without posts has a count of 0 instead of an unknown count.
  if (added === 0 && contested.length === 0 && state.counters.real !== null) return state;
  const counters = { ...state.counters, real: (state.counters.real ?? 0) + added };
  return contested.length === 0
    ? { ...state, counters }
    : { ...state, counters, doubt: addDoubt(state.doubt, contested) };
}

function addDoubt(before: CountDoubt | undefined, posts: readonly CapturedPost[]): CountDoubt {
  const count = (isDoubtful: boolean, isCounted: boolean) =>
    posts.filter((post) => (post.isDoubtful ?? false) === isDoubtful && post.isCounted === isCounted).length;
  const ownThread = (before?.ownThread ?? 0) + count(false, true);
  const otherThread = (before?.otherThread ?? 0) + count(false, false);
  return {
    counted: (before?.counted ?? 0) + count(true, true),
    uncounted: (before?.uncounted ?? 0) + count(true, false),
    ...(ownThread > 0 && { ownThread }),
    ...(otherThread > 0 && { otherThread }),
  };
}

/** Omits the field for windows without doubtful or contested posts. */
function setDoubt(state: EventState, doubts: Readonly<Record<number, CountDoubt>> | undefined): EventState {
  const doubt = doubts?.[state.event.eventId];
  if (!doubt) return state;
  const { doubt: _, ...certain } = state;
  const total = doubt.counted + doubt.uncounted + (doubt.ownThread ?? 0) + (doubt.otherThread ?? 0);
  return total > 0 ? { ...certain, doubt } : certain;
}

function setEntry(
  entries: Readonly<Record<string, string>>,
  about: string,
  text: string | null,
): Readonly<Record<string, string>> {
  const { [about]: _, ...others } = entries;
  return text === null ? others : { ...others, [about]: text };
}

function setRealCount(state: EventState, realCounts: Readonly<Record<number, number>>): EventState {
  const real = realCounts[state.event.eventId] ?? state.counters.real;
  return real === state.counters.real ? state : { ...state, counters: { ...state.counters, real } };
}

/** Newest first; ids break ties, so that every replica lists posts in the same order. */
function compareNewestFirst(left: CapturedPost, right: CapturedPost): number {
  return right.createdTs - left.createdTs || compareIds(right.postId, left.postId);
}

function mergeRecent(
  recent: readonly CapturedPost[],
  added: readonly CapturedPost[],
): readonly CapturedPost[] {
  return [...added, ...recent].sort(compareNewestFirst).slice(0, RECENT_POST_LIMIT);
}

function markDeleted(
  recent: readonly CapturedPost[],
  deletions: readonly PostDeletion[],
  isTextBlanked: boolean,
): readonly CapturedPost[] {
  const deletedTs = new Map(deletions.map((deletion) => [deletion.postId, deletion.deletedTs]));
  return recent.map((post) => {
    const ts = deletedTs.get(post.postId);
    if (ts === undefined || post.deletedTs !== null) return post;
    return { ...post, deletedTs: ts, text: isTextBlanked ? null : post.text };
  });
}

/** Keeps a delisted event for a day after its end, so that its settlement can be followed. */
function listEvents(
  snapshot: AccountSnapshot,
  { events, realCounts, doubts }: Extract<Observation, { kind: 'events-listed' }>,
  nowTs: number,
): Partial<AccountSnapshot> {
  const known = new Map(snapshot.events.map((state) => [state.event.eventId, state]));
  for (const event of events) known.set(event.eventId, mergeEvent(known.get(event.eventId), event));
  const kept = [...known.values()]
    .filter((state) => state.event.window.endTs > nowTs - DAY_MS)
    .map((state) => setDoubt(setRealCount(state, realCounts), doubts))
    .sort(
      (left, right) =>
        left.event.window.endTs - right.event.window.endTs || left.event.eventId - right.event.eventId,
    );
  const isUnchanged =
    kept.length === snapshot.events.length && kept.every((state, i) => state === snapshot.events[i]);
  return isUnchanged ? {} : { events: kept, quotes: keepQuotesOf(kept, snapshot.quotes) };
}

function mergeEvent(known: EventState | undefined, event: MarketEvent): EventState {
  if (!known) {
    const counters = { real: null, oracle: null, ui: null };
    return { event, counters, oracleUpdatedTs: null, uiUpdatedTs: null, forecast: null };
  }
  if (known.event === event) return known;
  const hasSameLadder =
    known.event.buckets.length === event.buckets.length &&
    known.event.buckets.every((bucket, index) => bucket.label === event.buckets[index]!.label);
  // Bucket probabilities belong to the ladder they were computed for.
  return { ...known, event, forecast: hasSameLadder ? known.forecast : null };
}

function keepQuotesOf(
  events: readonly EventState[],
  quotes: Readonly<Record<string, Quote>>,
): Record<string, Quote> {
  const kept: Record<string, Quote> = {};
  for (const { event } of events) {
    for (const bucket of event.buckets) {
      for (const tokenId of [bucket.yesTokenId, bucket.noTokenId]) {
        const quote = quotes[tokenId];
        if (quote) kept[tokenId] = quote;
      }
    }
  }
  return kept;
}

function readCounts(
  events: readonly EventState[],
  feed: 'oracle' | 'ui',
  readings: readonly CountReading[],
  observedTs: number,
): readonly EventState[] {
  const counts = new Map(readings.map((reading) => [reading.eventId, reading.count]));
  return events.map((state) => {
    const count = counts.get(state.event.eventId);
    if (count === undefined) return state;
    const counters = { ...state.counters, [feed]: count };
    return feed === 'oracle'
      ? zeroPassedBuckets({ ...state, counters, oracleUpdatedTs: observedTs })
      : { ...state, counters, uiUpdatedTs: observedTs };
  });
}

/** Ignores quotes older than the current one. */
function mergeQuotes(
  known: Readonly<Record<string, Quote>>,
  quotes: readonly Quote[],
): Readonly<Record<string, Quote>> {
  const merged = { ...known };
  for (const quote of quotes) {
    const before = merged[quote.tokenId];
    if (!before || before.observedTs <= quote.observedTs) merged[quote.tokenId] = quote;
  }
  return merged;
}

/** Events and buckets that stay as they were keep their identity, so that nothing follows from them. */
function mergeStanding(before: StandingAdviceByEvent = {}, changed: StandingChanges): StandingAdviceByEvent {
  const merged = Object.entries({ ...before, ...changed });
  return Object.fromEntries(merged.flatMap(([eventId, buckets]) => (buckets ? [[eventId, buckets]] : [])));
}

function updateFeed(
  feeds: readonly FeedStatus[],
  { feed, venue }: { feed: FeedName; venue?: VenueId | undefined },
  update: Partial<FeedStatus>,
): readonly FeedStatus[] {
  return feeds.map((status) =>
    status.feed === feed && status.venue === venue ? { ...status, ...update } : status,
  );
}

/** Sets the probability of buckets that the oracle's count has already passed to zero. */
function zeroPassedBuckets(state: EventState): EventState {
  const { forecast, counters, event } = state;
  // Deletions can lower the count, so a passed bucket can still win.
  if (!forecast || counters.oracle === null || event.terms?.countingRule.deletedPosts === false) return state;
  const bucketProbabilities = conditionOnCount(forecast.bucketProbabilities, event.buckets, counters.oracle);
  if (bucketProbabilities === forecast.bucketProbabilities && forecast.p5 >= counters.oracle) return state;
  const atLeast = (count: number) => Math.max(count, counters.oracle!);
  const { p5, p50, p95 } = forecast;
  const path = forecast.path && {
    ts: forecast.path.ts,
    p5: forecast.path.p5.map(atLeast),
    p50: forecast.path.p50.map(atLeast),
    p95: forecast.path.p95.map(atLeast),
  };
  const agreed = { bucketProbabilities, p5: atLeast(p5), p50: atLeast(p50), p95: atLeast(p95) };
  return { ...state, forecast: { ...forecast, ...agreed, ...(path && { path }) } };
}

function attachForecasts(
  events: readonly EventState[],
  forecasts: readonly PublishedForecast[],
): readonly EventState[] {
  const byEvent = new Map(forecasts.map((forecast) => [forecast.eventId, forecast]));
  return events.map((state) => {
    const forecast = byEvent.get(state.event.eventId);
    if (!forecast || forecast.bucketProbabilities.length !== state.event.buckets.length) return state;
    return zeroPassedBuckets({ ...state, forecast });
  });
}

// A count only grows, so passed buckets cannot win. This keeps the forecast consistent with an oracle reading
// until the next forecast.

/**
 * Conditions the probabilities on a final count of at least `count`. Returns the same array if no bucket was
 * passed.
 */
export function conditionOnCount(
  probabilities: readonly number[],
  ranges: readonly BucketRange[],
  count: number,
): readonly number[] {
  const isPassed = (i: number) => {
    const hi = ranges[i]?.hi ?? null;
    return hi !== null && hi < count;
  };
  if (!probabilities.some((p, i) => p > 0 && isPassed(i))) return probabilities;
  const kept = probabilities.map((p, i) => (isPassed(i) ? 0 : p));
  const total = kept.reduce((sum, p) => sum + p, 0);
  // Every bucket with nonzero probability was passed, so the current count's bucket gets all of it.
  if (!(total > 0)) return ranges.map(({ lo, hi }) => (count >= lo && (hi === null || count <= hi) ? 1 : 0));
  return kept.map((p) => p / total);
}
