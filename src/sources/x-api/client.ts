// Posts of one account from the X API v2: the user timeline polled by since_id, look-ups for deletions,
// and the activity stream as push.

import type { Account } from '../../domain/account.ts';
import type { Post } from '../../domain/post.ts';
import type { Clock } from '../../runtime/clock.ts';
import { errorMessage, SourceError } from '../../runtime/errors.ts';
import type { Random } from '../../runtime/random.ts';
import type { CursorOverlap } from '../cursor-overlap.ts';
import { createCursorOverlap } from '../cursor-overlap.ts';
import type { HttpTransport, Query } from '../http-transport.ts';
import { chunk, QUICK_RETRIES, withRetries } from '../retry.ts';
import type { PostPage, PostSource } from '../source.ts';
import { newestId, SNOWFLAKE_IDS } from '../status-id.ts';
import { asRecord, readName } from '../wire-reader.ts';
import { openActivityStream } from './activity-stream.ts';
import { isNotFound, unexpectedShape } from './errors.ts';
import type { ParsedPosts } from './parse.ts';
import { parseTweets } from './parse.ts';
import type { TweetListWire } from './wire.ts';
import { readTweetList, TWEET_FIELDS } from './wire.ts';

export interface XPostSourceOptions {
  account: Account;
  http: HttpTransport;
  clock: Clock;
  random: Random;
}

const PAGE_SIZE = 100;
/** The timeline ends after 3,200 posts; a server that never ends its pages is left after this many. */
const MAX_PAGES = 400;
const LOOKUP_SIZE = 100;

export function createXPostSource(options: XPostSourceOptions): PostSource {
  const overlap = createCursorOverlap(options.clock, SNOWFLAKE_IDS);
  return {
    kind: 'x',
    fetchLatest: (cursor, signal) => fetchLatest(options, overlap, cursor, signal),
    fetchHistory: (sinceTs, onProgress, signal) => fetchHistory(options, sinceTs, onProgress, signal),
    findMissing: (postIds, signal) => findMissing(options, postIds, signal),
    openStream: (handlers, signal) =>
      openActivityStream(
        { ...options, lookUp: (id, within) => lookUp(options, [id], within).then(({ tweets }) => tweets[0]) },
        handlers,
        signal,
      ),
  };
}

async function fetchLatest(
  options: XPostSourceOptions,
  overlap: CursorOverlap,
  cursor: string | null,
  signal: AbortSignal,
): Promise<PostPage> {
  const sinceId = cursor === null ? null : overlap.startFrom(cursor);
  const collected: ParsedPosts = { posts: [], skipped: [] };
  const first = await fetchTimelinePage(options, { since_id: sinceId }, signal);
  let nextToken = addPage(collected, first, options.account);
  try {
    // Without a cursor the newest page is enough: what lies before it is the back-fill's.
    for (let page = 1; nextToken !== null && cursor !== null && page < MAX_PAGES; page++) {
      const query = { since_id: sinceId, pagination_token: nextToken };
      const retries = { ...QUICK_RETRIES, clock: options.clock, random: options.random };
      const list = await withRetries(retries, signal, () => fetchTimelinePage(options, query, signal));
      nextToken = addPage(collected, list, options.account);
    }
  } catch (error) {
    return { ...collected, cursor, problem: errorMessage(error) };
  }
  overlap.settle();
  const ids = collected.posts.map((post) => post.postId);
  return { ...collected, cursor: newestId(ids, cursor), problem: null };
}

function addPage(collected: ParsedPosts, list: TweetListWire, account: Account): string | null {
  const parsed = parseTweets(list.tweets, account);
  // Pages run from new to old.
  collected.posts.unshift(...parsed.posts);
  collected.skipped.push(...parsed.skipped);
  return list.tweets.length > 0 ? list.nextToken : null;
}

async function fetchTimelinePage(
  options: XPostSourceOptions,
  query: Query,
  signal: AbortSignal,
): Promise<TweetListWire> {
  const path = `/2/users/${encodeURIComponent(options.account.platformUserId)}/tweets`;
  const fields = { max_results: PAGE_SIZE, 'tweet.fields': TWEET_FIELDS };
  const list = readTweetList(await options.http.getJson(path, { ...fields, ...query }, signal));
  if (!list) throw unexpectedShape('the timeline');
  assertReadable(list);
  return list;
}

/** Errors without data: the account is gone, protected or suspended. Silence would look like a quiet day. */
function assertReadable(list: TweetListWire): void {
  const problem = list.errors[0];
  if (list.tweets.length === 0 && problem) {
    throw new SourceError(`x: ${problem.title || 'error'} for ${problem.resourceId ?? 'the account'}`, {
      isRetryable: !isNotFound(problem),
    });
  }
}

async function* fetchHistory(
  options: XPostSourceOptions,
  sinceTs: number,
  onProgress: Parameters<PostSource['fetchHistory']>[1],
  signal: AbortSignal,
): AsyncGenerator<Post[]> {
  const startTime = new Date(sinceTs).toISOString();
  let nextToken: string | null = null;
  let fetchedPosts = 0;
  let oldestTs: number | null = null;
  for (let page = 0; page < MAX_PAGES; page++) {
    const query: Query = { start_time: startTime, pagination_token: nextToken };
    const list: TweetListWire = await withRetries(options, signal, () =>
      fetchTimelinePage(options, query, signal),
    );
    const { posts } = parseTweets(list.tweets, options.account);
    fetchedPosts += posts.length;
    oldestTs = posts[0]?.createdTs ?? oldestTs;
    nextToken = list.tweets.length > 0 ? list.nextToken : null;
    const hasReachedPlatformLimit = nextToken === null && fetchedPosts >= 3_100;
    onProgress({ fetchedPosts, oldestTs, hasReachedPlatformLimit });
    if (posts.length > 0) yield posts;
    if (nextToken === null) return;
  }
}

async function lookUp(
  options: XPostSourceOptions,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<TweetListWire> {
  const query = { ids: ids.join(','), 'tweet.fields': TWEET_FIELDS };
  const list = readTweetList(await options.http.getJson('/2/tweets', query, signal));
  if (!list) throw unexpectedShape('the look-up');
  return list;
}

async function findMissing(
  options: XPostSourceOptions,
  postIds: readonly string[],
  signal: AbortSignal,
): Promise<string[]> {
  const missing: string[] = [];
  for (const ids of chunk([...new Set(postIds)], LOOKUP_SIZE)) {
    const list = await lookUp(options, ids, signal);
    const named = new Set(list.errors.filter(isNotFound).flatMap((problem) => problem.resourceId ?? []));
    const present = presentIds(list);
    missing.push(...ids.filter((id) => named.has(id) && !present.has(id)));
  }
  return missing;
}

function presentIds(list: TweetListWire): Set<string> {
  return new Set(list.tweets.flatMap((tweet) => readName(asRecord(tweet) ?? {}, 'id') ?? []));
}
