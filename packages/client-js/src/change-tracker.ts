// Tracks what a stream has sent, so that a second snapshot (after a gap longer than the service's log, e.g. a
// restart) can be turned into the missed changes, each reported once. Stateful, but performs no I/O.

import type { CountersRecord, PostRecord, PredictionRecord } from './generated/schema.ts';
import type { FeedMessage, SettlementMessage, SnapshotMessage, StreamEvent } from './messages.ts';

export interface ChangeTracker {
  /** Returns the new parts of a message; an empty list if everything is known. */
  take(message: StreamEvent): StreamEvent[];
  /** Whether there may be unknown posts older than the oldest post in this snapshot. */
  hasGap(snapshot: SnapshotMessage): boolean;
  /** Takes a listing, newest first, and returns its new posts, oldest first. */
  takePosts(id: string, posts: readonly PostRecord[]): StreamEvent[];
  isKnown(post: PostRecord): boolean;
}

/** Far more posts than can appear between two reads; older entries are dropped. */
const POSTS_KEPT = 10_000;

export function createChangeTracker(): ChangeTracker {
  let hasBegun = false;
  /** Posts made before the start are not new, even if a later listing includes them. */
  let beginTs = 0;
  const posts = new Map<string, boolean>();
  const latest = new Map<string, string>();

  /** Stores the value and returns whether it differs from the previous value with this name. */
  function isNews(name: string, value: unknown): boolean {
    const text = JSON.stringify(value);
    if (latest.get(name) === text) return false;
    latest.set(name, text);
    return true;
  }

  function isNewPost({ tweet_id, is_deleted, created_ts }: PostRecord): boolean {
    const before = posts.get(tweet_id);
    if (before === undefined ? created_ts < beginTs : before === is_deleted) return false;
    posts.delete(tweet_id);
    posts.set(tweet_id, is_deleted);
    if (posts.size > POSTS_KEPT) posts.delete(posts.keys().next().value as string);
    return true;
  }

  function isNewSettlement({ event_id, revision }: SettlementMessage): boolean {
    return isNews(`settlement ${event_id}`, revision);
  }

  function takePosts(id: string, listed: readonly PostRecord[]): StreamEvent[] {
    return [...listed]
      .reverse()
      .filter(isNewPost)
      .map((data): StreamEvent => ({ id, event: 'post', data }));
  }

  function takeSnapshot(id: string, { meta, prediction, posts: listed, settlements }: SnapshotMessage) {
    const feeds = listFeeds(meta).filter(({ feed, stale }) => isNews(`feed ${feed}`, stale));
    return [
      ...takePosts(id, listed),
      ...meta
        .filter((record) => isNews(`counters ${record.event_id}`, countsOf(record)))
        .map((data): StreamEvent => ({ id, event: 'counters', data })),
      ...prediction
        .filter((record) => record.forecast && isNews(`forecast ${record.event_id}`, distributionOf(record)))
        .map((data): StreamEvent => ({ id, event: 'forecast', data })),
      ...prediction.flatMap(({ event_id, markets }) =>
        markets
          .filter(({ title, market_price }) => isNews(`price ${event_id} ${title}`, market_price))
          .map(
            ({ title, market_price }): StreamEvent => ({
              id,
              event: 'price',
              data: { event_id, title, market_price },
            }),
          ),
      ),
      ...feeds.map((data): StreamEvent => ({ id, event: 'feed', data })),
      ...(settlements ?? [])
        .filter(isNewSettlement)
        .map((data): StreamEvent => ({ id, event: 'settlement', data })),
    ];
  }

  function begin(message: StreamEvent & { event: 'snapshot' }): StreamEvent[] {
    hasBegun = true;
    takeSnapshot(message.id, message.data);
    beginTs = message.data.posts.at(-1)?.created_ts ?? message.data.timestamp;
    return [message];
  }

  /** Records a single change; returns false for a known post or settlement. */
  function note(message: Exclude<StreamEvent, { event: 'snapshot' }>): boolean {
    const { event, data } = message;
    if (event === 'post') return isNewPost(data);
    if (event === 'settlement') return isNewSettlement(data);
    if (event === 'counters') isNews(`counters ${data.event_id}`, countsOf(data));
    if (event === 'forecast') isNews(`forecast ${data.event_id}`, distributionOf(data));
    if (event === 'price') isNews(`price ${data.event_id} ${data.title}`, data.market_price);
    if (event === 'feed') isNews(`feed ${data.feed}`, data.stale);
    return true;
  }

  return {
    take(message) {
      if (message.event !== 'snapshot') return note(message) ? [message] : [];
      return hasBegun ? takeSnapshot(message.id, message.data) : begin(message);
    },
    hasGap: ({ posts: listed }) =>
      hasBegun && posts.size > 0 && listed.length > 0 && !listed.some(({ tweet_id }) => posts.has(tweet_id)),
    takePosts,
    isKnown: ({ tweet_id, created_ts }) => posts.has(tweet_id) || created_ts < beginTs,
  };
}

function countsOf(record: CountersRecord): unknown[] {
  return [record.real_counter, record.market_oracle_counter, record.market_ui_counter];
}

function distributionOf({ forecast, markets }: PredictionRecord): unknown[] {
  return [forecast, markets.map(({ title, model_prob }) => [title, model_prob])];
}

/** Every record in a snapshot has the same feeds. */
function listFeeds([first]: readonly CountersRecord[]): FeedMessage[] {
  return Object.entries(first?.feeds ?? {}).map(([feed, age]) => ({ feed, ...age, problem: null }));
}
