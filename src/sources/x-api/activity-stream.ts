// The X API activity stream, which pushes post.create and post.delete within a second.

import type { Account } from '../../domain/account.ts';
import type { Post } from '../../domain/post.ts';
import { MINUTE_MS } from '../../domain/units.ts';
import type { Clock } from '../../runtime/clock.ts';
import { errorMessage, SourceError } from '../../runtime/errors.ts';
import type { HttpTransport } from '../http-transport.ts';
import type { PostStreamHandlers, SkippedItem } from '../source.ts';
import { readName, tryParseJson } from '../wire-reader.ts';
import { isInNeedOfLookUp, parseDeletedId } from './parse.ts';
import type { ActivityWire } from './wire.ts';
import { isAlreadySubscribed, readActivity } from './wire.ts';

export interface ActivityStreamOptions {
  account: Account;
  connection: ActivityConnection;
  clock: Clock;
  /** Fetches one post in full. */
  lookUp(postId: string, signal: AbortSignal): Promise<readonly unknown[]>;
  accept(
    tweets: readonly unknown[],
    signal: AbortSignal,
  ): Promise<{ posts: readonly Post[]; skipped: readonly SkippedItem[] }>;
  charge(postIds: readonly string[]): void;
  /** Throws once the month's cap is reached: pushed posts cost as much as polled ones. */
  assertAffordable(): void;
}

const EVENT_TYPES = ['post.create', 'post.delete'];

/** What a line of the stream says; a blank one keeps the connection alive. */
type Heard = ActivityWire | 'alive' | 'unreadable';

interface Follower {
  onOpen(): void;
  hear(heard: Heard): void;
}

/** The stream of an app. X allows an app two connections, so all its accounts in a process share one. */
export interface ActivityConnection {
  /** Resolves on abort, or when the stream ends; rejects if it fails. */
  follow(follower: Follower, signal: AbortSignal): Promise<void>;
  /** Subscribes to the events of a user unless that was done recently; returns when to do it again, 0 if just done. */
  subscribe(userId: string, signal: AbortSignal): Promise<number>;
}

/** X allows 500 of these calls in 15 minutes, so a connection that is lost often must not repeat them each time. */
const SUBSCRIBED_FOR_MS = 15 * MINUTE_MS;
/** Pause after X has refused a subscription for their number, unless it names one. */
const REFUSED_FOR_MS = MINUTE_MS;

export function createActivityConnection(http: HttpTransport, clock: Clock): ActivityConnection {
  const subscribedTs = new Map<string, number>();
  let refusedUntilTs = Number.NEGATIVE_INFINITY;
  let current: ReturnType<typeof open> | null = null;

  function open() {
    const stopping = new AbortController();
    const connection = { stopping, isOpen: false, followers: new Set<Follower>(), ended: Promise.resolve() };
    const each = (tell: (follower: Follower) => void) => [...connection.followers].forEach(tell);
    const handlers = {
      onOpen() {
        connection.isOpen = true;
        each((follower) => follower.onOpen());
      },
      onLine(line: string) {
        const heard = line === '' ? 'alive' : (readActivity(tryParseJson(line)) ?? 'unreadable');
        each((follower) => follower.hear(heard));
      },
    };
    connection.ended = http.readStream('/2/activity/stream', {}, handlers, stopping.signal).finally(() => {
      if (current === connection) current = null;
    });
    // Its followers report it; it may end after the last of them has left.
    connection.ended.catch(() => {});
    return connection;
  }

  return {
    async follow(follower, signal) {
      current ??= open();
      const connection = current;
      connection.followers.add(follower);
      if (connection.isOpen) follower.onOpen();
      const left = Promise.withResolvers<void>();
      const leave = () => left.resolve();
      signal.addEventListener('abort', leave);
      if (signal.aborted) leave();
      try {
        await Promise.race([connection.ended, left.promise]);
      } finally {
        signal.removeEventListener('abort', leave);
        connection.followers.delete(follower);
        if (connection.followers.size === 0) {
          if (current === connection) current = null;
          connection.stopping.abort();
        }
      }
    },
    async subscribe(userId, signal) {
      const dueInMs =
        (subscribedTs.get(userId) ?? Number.NEGATIVE_INFINITY) + SUBSCRIBED_FOR_MS - clock.now();
      if (dueInMs > 0) return dueInMs;
      for (const eventType of EVENT_TYPES) await subscribeTo(eventType, userId, signal);
      subscribedTs.set(userId, clock.now());
      return 0;
    },
  };

  async function subscribeTo(eventType: string, userId: string, signal: AbortSignal): Promise<void> {
    const retryAfterMs = refusedUntilTs - clock.now();
    if (retryAfterMs > 0)
      throw new SourceError('x: too many subscriptions for now', { isRetryable: true, retryAfterMs });
    try {
      const body = { event_type: eventType, filter: { user_id: userId } };
      await http.postJson('/2/activity/subscriptions', body, signal);
    } catch (error) {
      if (isAlreadySubscribed(error)) return;
      if (error instanceof SourceError && error.status === 429)
        refusedUntilTs = clock.now() + (error.retryAfterMs ?? REFUSED_FOR_MS);
      throw error;
    }
  }
}

export async function openActivityStream(
  options: ActivityStreamOptions,
  handlers: PostStreamHandlers,
  signal: AbortSignal,
): Promise<void> {
  const { inTurn, settled } = createTurns();
  const { connection, account } = options;
  let stopRenewing = () => {};
  try {
    options.assertAffordable();
    const dueInMs = await connection.subscribe(account.platformUserId, signal);
    // X may have lost the subscription with the stream; if not, this confirms it.
    const renew = () => void connection.subscribe(account.platformUserId, signal).catch(() => {});
    if (dueInMs > 0) stopRenewing = options.clock.after(dueInMs, renew);
    await connection.follow(
      {
        onOpen: () => handlers.onOpen?.(),
        hear: (heard) => acceptHeard(options, handlers, inTurn, heard, signal),
      },
      signal,
    );
    await settled();
  } catch (error) {
    if (signal.aborted) return;
    throw error;
  } finally {
    stopRenewing();
  }
  if (!signal.aborted) throw new SourceError('x: the activity stream ended', { isRetryable: true });
}

type InTurn = (work: () => Promise<void> | void) => void;

/** Runs tasks one at a time, so that a deletion never overtakes its post. */
function createTurns(): { inTurn: InTurn; settled(): Promise<void> } {
  let last: Promise<void> = Promise.resolve();
  return {
    inTurn(work) {
      last = last.then(work);
    },
    settled: () => last,
  };
}

function acceptHeard(
  options: ActivityStreamOptions,
  handlers: PostStreamHandlers,
  inTurn: InTurn,
  activity: Heard,
  signal: AbortSignal,
): void {
  handlers.onAlive();
  if (activity === 'alive') return;
  if (activity === 'unreadable') {
    handlers.onSkipped?.({ what: 'a line of the activity stream', reason: 'it is not an activity' });
    return;
  }
  // The connection carries all subscriptions of the app, including other users' replies to the account.
  if (activity.userId !== null && activity.userId !== options.account.platformUserId) return;
  const authorId = readName(activity.payload, 'author_id');
  if (authorId !== null && authorId !== options.account.platformUserId) return;
  if (/^post\.(\w+\.)?create$/.test(activity.eventType))
    inTurn(() => acceptCreate(options, handlers, activity, signal));
  if (activity.eventType === 'post.delete') inTurn(() => acceptDelete(options, handlers, activity));
}

async function acceptCreate(
  options: ActivityStreamOptions,
  handlers: PostStreamHandlers,
  { payload }: ActivityWire,
  signal: AbortSignal,
): Promise<void> {
  const postId = readName(payload, 'id');
  if (postId !== null) options.charge([postId]);
  try {
    await deliver(options, handlers, payload, postId, signal);
  } catch (error) {
    handlers.onSkipped?.({ what: `post ${postId}`, reason: errorMessage(error) });
  }
}

/** Looks up a post that was pushed incomplete. */
async function deliver(
  options: ActivityStreamOptions,
  handlers: PostStreamHandlers,
  payload: ActivityWire['payload'],
  postId: string | null,
  signal: AbortSignal,
): Promise<void> {
  const isBare = postId !== null && isInNeedOfLookUp(payload);
  const tweets = isBare ? await options.lookUp(postId, signal) : [payload];
  const { posts, skipped } = await options.accept(tweets, signal);
  for (const post of posts) handlers.onPost(post);
  for (const item of skipped) handlers.onSkipped?.(item);
}

function acceptDelete(
  options: ActivityStreamOptions,
  handlers: PostStreamHandlers,
  activity: ActivityWire,
): void {
  const postId = parseDeletedId(activity.payload);
  if (postId) handlers.onDeletion({ postId, deletedTs: options.clock.now() });
  else handlers.onSkipped?.({ what: 'a deletion', reason: 'it has no post id' });
}
