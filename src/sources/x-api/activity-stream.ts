// The activity stream of the X API: post.create and post.delete pushed within a second.

import type { Account } from '../../domain/account.ts';
import type { Clock } from '../../runtime/clock.ts';
import { errorMessage, SourceError } from '../../runtime/errors.ts';
import type { HttpTransport } from '../http-transport.ts';
import type { PostStreamHandlers } from '../source.ts';
import { readName, tryParseJson } from '../wire-reader.ts';
import { isAlreadySubscribed } from './errors.ts';
import { isReplyToUnknown, parseDeletedId, parseTweet } from './parse.ts';
import type { ActivityWire } from './wire.ts';
import { readActivity } from './wire.ts';

export interface ActivityStreamOptions {
  account: Account;
  http: HttpTransport;
  clock: Clock;
  /** Fetches one post in full. */
  lookUp(postId: string, signal: AbortSignal): Promise<unknown>;
}

const EVENT_TYPES = ['post.create', 'post.delete'];

export async function openActivityStream(
  options: ActivityStreamOptions,
  handlers: PostStreamHandlers,
  signal: AbortSignal,
): Promise<void> {
  try {
    await subscribe(options, signal);
    await options.http.readStream(
      '/2/activity/stream',
      {},
      {
        onOpen: () => handlers.onOpen?.(),
        onLine: (line) => acceptLine(options, handlers, line, signal),
      },
      signal,
    );
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

function acceptLine(
  options: ActivityStreamOptions,
  handlers: PostStreamHandlers,
  line: string,
  signal: AbortSignal,
): void {
  handlers.onAlive();
  if (line === '') return;
  const activity = readActivity(tryParseJson(line));
  if (!activity) {
    handlers.onSkipped?.({ what: 'a line of the activity stream', reason: 'it is no activity' });
    return;
  }
  // The connection carries every subscription of the app.
  if (activity.userId !== null && activity.userId !== options.account.platformUserId) return;
  if (activity.eventType === 'post.create') acceptCreate(options, handlers, activity, signal);
  if (activity.eventType === 'post.delete') acceptDelete(options, handlers, activity);
}

function acceptCreate(
  options: ActivityStreamOptions,
  handlers: PostStreamHandlers,
  activity: ActivityWire,
  signal: AbortSignal,
): void {
  const postId = readName(activity.payload, 'id');
  if (postId === null || !isReplyToUnknown(activity.payload)) {
    deliver(options, handlers, activity.payload);
    return;
  }
  options.lookUp(postId, signal).then(
    (tweet) => deliver(options, handlers, tweet),
    (error) => handlers.onSkipped?.({ what: `post ${postId}`, reason: errorMessage(error) }),
  );
}

function deliver(options: ActivityStreamOptions, handlers: PostStreamHandlers, tweet: unknown): void {
  const post = parseTweet(tweet, options.account);
  if ('reason' in post) handlers.onSkipped?.(post);
  else handlers.onPost(post);
}

function acceptDelete(
  options: ActivityStreamOptions,
  handlers: PostStreamHandlers,
  activity: ActivityWire,
): void {
  const postId = parseDeletedId(activity.payload);
  if (postId) handlers.onDeletion({ postId, deletedTs: options.clock.now() });
  else handlers.onSkipped?.({ what: 'a deletion', reason: 'it names no post' });
}
