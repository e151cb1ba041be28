// The X API activity stream, which pushes post.create and post.delete within a second.

import type { Account } from '../../domain/account.ts';
import type { Post } from '../../domain/post.ts';
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
  http: HttpTransport;
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

export async function openActivityStream(
  options: ActivityStreamOptions,
  handlers: PostStreamHandlers,
  signal: AbortSignal,
): Promise<void> {
  const { inTurn, settled } = createTurns();
  try {
    options.assertAffordable();
    await subscribe(options, signal);
    await options.http.readStream(
      '/2/activity/stream',
      {},
      {
        onOpen: () => handlers.onOpen?.(),
        onLine: (line) => acceptLine(options, handlers, inTurn, line, signal),
      },
      signal,
    );
    await settled();
  } catch (error) {
    if (signal.aborted) return;
    throw error;
  }
  if (!signal.aborted) throw new SourceError('x: the activity stream ended', { isRetryable: true });
}

async function subscribe(options: ActivityStreamOptions, signal: AbortSignal): Promise<void> {
  for (const eventType of EVENT_TYPES) {
    const body = { event_type: eventType, filter: { user_id: options.account.platformUserId } };
    try {
      await options.http.postJson('/2/activity/subscriptions', body, signal);
    } catch (error) {
      if (!isAlreadySubscribed(error)) throw error;
    }
  }
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

function acceptLine(
  options: ActivityStreamOptions,
  handlers: PostStreamHandlers,
  inTurn: InTurn,
  line: string,
  signal: AbortSignal,
): void {
  handlers.onAlive();
  if (line === '') return;
  const activity = readActivity(tryParseJson(line));
  if (!activity) {
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
