// The state of one account on the page, and how each message changes it. Pure, so that replayed or repeated
// messages are harmless.

import type {
  BucketRecord,
  CountersRecord,
  CountFeedName,
  FeedMessage,
  PostRecord,
  PredictionRecord,
  PriceMessage,
  SettlementMessage,
  SnapshotMessage,
  Tier,
} from '../api/records.ts';

export interface TrailPoint {
  ts: number;
  count: number;
}

export interface ServerClock {
  serverTs: number;
  localTs: number;
  /** Speed of the service's clock relative to real time. */
  speed: number;
}

export function toServerTs({ serverTs, localTs, speed }: ServerClock, nowTs: number): number {
  return serverTs + (nowTs - localTs) * speed;
}

export interface AccountState {
  account: string;
  tier: Tier | null;
  /** The same moment on the service's clock and on this machine's, from the last message with a timestamp. */
  clock: ServerClock;
  /** When data last arrived, on this machine's clock; null before the first message. */
  heardTs: number | null;
  meta: readonly CountersRecord[];
  prediction: readonly PredictionRecord[];
  posts: readonly PostRecord[];
  feeds: Readonly<Record<string, FeedMessage>>;
  /** Our count as observed while this page was open, per event. */
  trails: Readonly<Record<number, readonly TrailPoint[]>>;
  settlements: Readonly<Record<number, SettlementMessage>>;
}

export const POSTS_KEPT = 100;
const TRAIL_KEPT = 5_000;

export function createAccountState(account: string, speed = 1): AccountState {
  return {
    account,
    tier: null,
    clock: { serverTs: 0, localTs: 0, speed },
    heardTs: null,
    meta: [],
    prediction: [],
    posts: [],
    feeds: {},
    trails: {},
    settlements: {},
  };
}

export interface Message {
  event: string;
  data: unknown;
}

export function applyMessage(state: AccountState, message: Message, nowTs: number): AccountState {
  const next = applyKnown(state, message, nowTs);
  return next === state ? state : { ...next, heardTs: nowTs };
}

function applyKnown(state: AccountState, { event, data }: Message, nowTs: number): AccountState {
  switch (event) {
    case 'snapshot':
      return applySnapshot(state, data as SnapshotMessage, nowTs);
    case 'counters':
      return applyCounters(state, [data as CountersRecord], nowTs);
    case 'forecast':
      return applyForecast(state, data as PredictionRecord);
    case 'post':
      return { ...state, posts: mergePosts(state.posts, [data as PostRecord]) };
    case 'price':
      return applyPrice(state, data as PriceMessage);
    case 'feed':
      return applyFeed(state, data as FeedMessage);
    case 'settlement':
      return applySettlement(state, data as SettlementMessage);
    default:
      return state;
  }
}

/** A snapshot replaces current values and adds to the history. */
function applySnapshot(state: AccountState, snapshot: SnapshotMessage, nowTs: number): AccountState {
  const clock = setClock(state.clock, snapshot.timestamp, nowTs);
  const base = { ...state, clock, tier: snapshot.tier, meta: [] };
  const counted = applyCounters(base, snapshot.meta, nowTs);
  return {
    ...counted,
    prediction: snapshot.prediction,
    posts: mergePosts(state.posts, snapshot.posts),
  };
}

export function setClock({ speed }: ServerClock, serverTs: number, localTs: number): ServerClock {
  return { serverTs, localTs, speed };
}

export function applyCounters(
  state: AccountState,
  records: readonly CountersRecord[],
  nowTs: number,
): AccountState {
  const kept = state.meta.filter((known) => !records.some((record) => record.event_id === known.event_id));
  const meta = [...kept, ...records].sort(
    (left, right) => left.end_ts - right.end_ts || left.event_id - right.event_id,
  );
  return { ...state, meta, trails: extendTrails(state, records, nowTs) };
}

function extendTrails(
  state: AccountState,
  records: readonly CountersRecord[],
  nowTs: number,
): AccountState['trails'] {
  const trails = { ...state.trails };
  for (const record of records) {
    if (record.real_counter === null) continue;
    const trail = trails[record.event_id] ?? [];
    if (trail.at(-1)?.count === record.real_counter) continue;
    const ts = toServerTs(state.clock, nowTs);
    trails[record.event_id] = [...trail, { ts, count: record.real_counter }].slice(-TRAIL_KEPT);
  }
  return trails;
}

function applyForecast(state: AccountState, record: PredictionRecord): AccountState {
  const kept = state.prediction.filter((known) => known.event_id !== record.event_id);
  return { ...state, prediction: [...kept, record] };
}

function applyPrice(state: AccountState, price: PriceMessage): AccountState {
  const prediction = state.prediction.map((record) =>
    record.event_id === price.event_id
      ? { ...record, markets: record.markets.map((bucket) => reprice(bucket, price)) }
      : record,
  );
  return { ...state, prediction };
}

/** Edge is defined as model minus price, so it moves with the price. */
function reprice(bucket: BucketRecord, price: PriceMessage): BucketRecord {
  if (bucket.title !== price.title) return bucket;
  const repriced = { ...bucket, market_price: price.market_price };
  if (typeof bucket.model_prob !== 'number' || price.market_price === null) return repriced;
  return { ...repriced, edge: bucket.model_prob - price.market_price };
}

/** Feeds that have an age in every counters record. */
const RECORD_FEEDS: readonly string[] = [
  'own',
  'oracle',
  'ui',
  'prices',
  'forecast',
] satisfies CountFeedName[];

function applyFeed(state: AccountState, message: FeedMessage): AccountState {
  const feeds = { ...state.feeds, [message.feed]: message };
  const [feed = '', venue] = message.feed.split('_').reverse();
  if (!RECORD_FEEDS.includes(feed)) return { ...state, feeds };
  const { updated_ts, age_s, stale, incomplete } = message;
  const age = { updated_ts, age_s, stale, ...(incomplete && { incomplete }) };
  const meta = state.meta.map((record) =>
    isFeedOf(record, feed, venue) ? { ...record, feeds: { ...record.feeds, [feed]: age } } : record,
  );
  return { ...state, feeds, meta };
}

/** Additional venues have separate price and count feeds (`kalshi_prices`) but share posts and forecast. */
function isFeedOf(record: CountersRecord, feed: string, venue: string | undefined): boolean {
  if (venue !== undefined) return record.venue === venue;
  return feed === 'own' || feed === 'forecast' || !isAdditionalVenue(record.venue);
}

/** The first venue is called `market`. */
export function isAdditionalVenue(venue: string | undefined): boolean {
  return venue !== undefined && venue !== 'market';
}

function applySettlement(state: AccountState, settlement: SettlementMessage): AccountState {
  return { ...state, settlements: { ...state.settlements, [settlement.event_id]: settlement } };
}

/** Newest first, each post once; a later version of a post (a deletion) replaces the earlier one. */
export function mergePosts(
  known: readonly PostRecord[],
  arrived: readonly PostRecord[],
): readonly PostRecord[] {
  const byId = new Map(known.map((post) => [post.tweet_id, post]));
  for (const post of arrived) byId.set(post.tweet_id, post);
  return [...byId.values()]
    .sort((left, right) => right.created_ts - left.created_ts || compareIds(right.tweet_id, left.tweet_id))
    .slice(0, POSTS_KEPT);
}

function compareIds(left: string, right: string): number {
  return left.length - right.length || (left < right ? -1 : left > right ? 1 : 0);
}
