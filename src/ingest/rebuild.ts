// State after a restart: posts, counts, quotes and settlements from the rows they were made durable in; freshness and
// forecasts from the last saved snapshot, which may be some seconds old and is corrected by the next polls.

import type { Account } from '../domain/account.ts';
import type { FeedStatus } from '../domain/feed.ts';
import { DAY_MS } from '../domain/units.ts';
import { applyObservation } from '../state/apply-observation.ts';
import { type AccountSnapshot, createEmptySnapshot, RECENT_POST_LIMIT } from '../state/snapshot.ts';
import type { Store } from '../store/ports.ts';
import { countEvents } from './own-counts.ts';

/**
 * More versions than can have been published after the last saved one. What readers were told before a crash
 * then stays older than anything told after it, so that nobody resumes past what happened meanwhile.
 */
const RESTART_GAP = 1_000_000;
/**
 * More than one leader can publish. A store that was put back to an older time has older versions too, but a newer epoch: replicas
 * that saw the later time would wait for it to come again.
 */
const VERSIONS_OF_AN_EPOCH = 1_000_000_000;

export function firstVersionOf(epoch: number): number {
  return epoch * VERSIONS_OF_AN_EPOCH;
}

export async function rebuildSnapshot(
  store: Store,
  account: Account,
  feeds: readonly FeedStatus[],
  nowTs: number,
): Promise<AccountSnapshot> {
  const saved = await findSaved(store, account.accountId);
  const base = createEmptySnapshot(account.accountId, nowTs, restoreFeeds(feeds, saved));
  const events = await store.events.list(account.accountId, nowTs - DAY_MS);
  const totalPosts = await store.posts.count(account.accountId);
  const counts =
    totalPosts > 0 ? await countEvents(store, account.accountId, events) : { realCounts: {}, doubts: {} };
  let snapshot: AccountSnapshot = {
    ...base,
    version: Math.max(
      firstVersionOf(await store.readEpoch()),
      saved === undefined ? 0 : saved.version + RESTART_GAP,
    ),
    totalPosts,
    recentPosts: await store.posts.listRecent(account.accountId, RECENT_POST_LIMIT, 0),
    activity: saved?.activity ?? null,
    jointFinals: saved?.jointFinals ?? null,
  };
  snapshot = applyObservation(snapshot, { kind: 'events-listed', events, ...counts }, nowTs);
  const eventIds = events.map((event) => event.eventId);
  for (const { feed, eventId, count, observedTs } of await store.counts.latest(eventIds)) {
    snapshot = applyObservation(
      snapshot,
      { kind: 'counts-read', feed, readings: [{ eventId, count }], observedTs },
      nowTs,
    );
  }
  const tokenIds = events.flatMap((event) =>
    event.buckets.flatMap((bucket) => [bucket.yesTokenId, bucket.noTokenId]),
  );
  snapshot = applyObservation(
    snapshot,
    { kind: 'quotes-read', quotes: await store.quotes.latest(tokenIds) },
    nowTs,
  );
  for (const settlement of await store.settlements.latest(eventIds)) {
    const { eventId, finalCount, winningLabel, revision } = settlement;
    const settled = { finalCount, winningLabel, revision };
    snapshot = applyObservation(snapshot, { kind: 'event-settled', eventId, settlement: settled }, nowTs);
  }
  const forecasts = (saved?.events ?? []).flatMap((state) => (state.forecast ? [state.forecast] : []));
  return attachSavedForecasts(snapshot, forecasts);
}

function attachSavedForecasts(
  snapshot: AccountSnapshot,
  forecasts: readonly NonNullable<AccountSnapshot['events'][number]['forecast']>[],
): AccountSnapshot {
  const byEvent = new Map(forecasts.map((forecast) => [forecast.eventId, forecast]));
  return {
    ...snapshot,
    events: snapshot.events.map((state) => {
      const forecast = byEvent.get(state.event.eventId) ?? null;
      const isAligned = forecast?.bucketProbabilities.length === state.event.buckets.length;
      return { ...state, forecast: isAligned ? forecast : null };
    }),
  };
}

async function findSaved(store: Store, name: string): Promise<AccountSnapshot | undefined> {
  const row = await store.snapshots.find(name);
  return row ? (JSON.parse(row.body) as AccountSnapshot) : undefined;
}

function restoreFeeds(feeds: readonly FeedStatus[], saved: AccountSnapshot | undefined): FeedStatus[] {
  return feeds.map((feed) => {
    const before = saved?.feeds.find((candidate) => candidate.feed === feed.feed);
    return before ? { ...feed, updatedTs: before.updatedTs, problem: before.problem } : feed;
  });
}
