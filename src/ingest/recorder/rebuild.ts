// Rebuilds the state after a restart: posts, counts, quotes and settlements from their rows; freshness and
// forecasts from the last saved snapshot, which may be a few seconds old until the next polls.

import type { Account } from '../../domain/account.ts';
import { firstTerms } from '../../domain/contract.ts';
import { type FeedStatus, findFeed } from '../../domain/feed.ts';
import type { MarketEvent } from '../../domain/market-event.ts';
import { DAY_MS } from '../../domain/units.ts';
import { applyObservation } from '../../state/apply-observation.ts';
import { replay } from '../../state/replay.ts';
import {
  type AccountSnapshot,
  createEmptySnapshot,
  type Observation,
  RECENT_POST_LIMIT,
} from '../../state/snapshot.ts';
import type { Store } from '../../store/ports.ts';
import { countEvents } from './recorder-state.ts';

/**
 * More versions than can have been published since the last save. Versions after a crash are then always
 * higher than those before it, so that no reader resumes past missed changes.
 */
const RESTART_GAP = 1_000_000;
/**
 * More versions than one leader can publish. A restored backup has older versions but a newer epoch; without
 * this jump, replicas that saw later versions would wait for them.
 */
const VERSIONS_PER_EPOCH = 1_000_000_000;
/** Larger epochs are microseconds of a server's clock, and no leader publishes a version in each of them. */
const MAX_COUNTED_EPOCH = 1_000_000_000;

export function firstVersionOf(epoch: number): number {
  return epoch <= MAX_COUNTED_EPOCH ? epoch * VERSIONS_PER_EPOCH : epoch;
}

export async function rebuildSnapshot(
  store: Store,
  account: Account,
  feeds: readonly FeedStatus[],
  nowTs: number,
): Promise<AccountSnapshot> {
  const saved = await findSaved(store, account.accountId);
  const events = await store.events.list(account.accountId, nowTs - DAY_MS);
  const start = await beginSnapshot(store, account, restoreFeeds(feeds, saved), saved, nowTs);
  let snapshot = start;
  for (const observation of await listKept(store, start, events))
    ({ snapshot } = applyObservation(snapshot, observation, nowTs));
  const forecasts = (saved?.events ?? []).flatMap((state) => (state.forecast ? [state.forecast] : []));
  return attachSavedForecasts(snapshot, forecasts);
}

/** Everything except the events. */
async function beginSnapshot(
  store: Store,
  account: Account,
  feeds: FeedStatus[],
  saved: AccountSnapshot | undefined,
  nowTs: number,
): Promise<AccountSnapshot> {
  const { accountId } = account;
  return {
    ...createEmptySnapshot(accountId, nowTs, feeds),
    terms: firstTerms(account),
    version: Math.max(
      firstVersionOf(await store.readEpoch()),
      saved === undefined ? 0 : saved.version + RESTART_GAP,
    ),
    totalPosts: await store.posts.count(accountId),
    recentPosts: await store.posts.listRecent(accountId, RECENT_POST_LIMIT, 0),
    activity: saved?.activity ?? null,
    jointFinals: saved?.jointFinals ?? null,
    ...(saved?.standing && { standing: saved.standing }),
    ...(saved?.evidence && { evidence: saved.evidence }),
  };
}

/** The events' stored rows as observations, in dependency order. */
async function listKept(
  store: Store,
  { accountId, totalPosts }: AccountSnapshot,
  events: readonly MarketEvent[],
): Promise<Observation[]> {
  const eventIds = events.map((event) => event.eventId);
  const tokenIds = events.flatMap((event) =>
    event.buckets.flatMap((bucket) => [bucket.yesTokenId, bucket.noTokenId]),
  );
  const counts =
    totalPosts > 0 ? await countEvents(store, accountId, events) : { realCounts: {}, doubts: {} };
  const readings = await store.counts.latest(eventIds);
  const quotes = await store.quotes.latest(tokenIds);
  const settlements = await store.settlements.latest(eventIds);
  return [
    { kind: 'events-listed', events, ...counts },
    ...readings.map(
      ({ feed, eventId, count, observedTs }): Observation => ({
        kind: 'counts-read',
        feed,
        readings: [{ eventId, count }],
        observedTs,
      }),
    ),
    { kind: 'quotes-read', quotes },
    ...settlements.map(
      ({ eventId, finalCount, winningLabel, revision }): Observation => ({
        kind: 'event-settled',
        eventId,
        settlement: { finalCount, winningLabel, revision },
      }),
    ),
  ];
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
  if (!row) return undefined;
  const whole = JSON.parse(row.body) as AccountSnapshot;
  const logged = await store.snapshots.observationsAfter([{ name, version: row.version }]);
  return replay(whole, logged).at(-1)?.snapshot ?? whole;
}

function restoreFeeds(feeds: readonly FeedStatus[], saved: AccountSnapshot | undefined): FeedStatus[] {
  return feeds.map((feed) => {
    const before = saved && findFeed(saved.feeds, feed.feed, feed.venue);
    return before ? { ...feed, updatedTs: before.updatedTs, problem: before.problem } : feed;
  });
}
