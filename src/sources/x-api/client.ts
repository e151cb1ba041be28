// Posts of one account from the X API v2: polls the user timeline by since_id, looks up deleted posts and
// conversation roots, and uses the activity stream for push.

import type { Post } from '../../domain/post.ts';
import { SECOND_MS } from '../../domain/units.ts';
import type { Random } from '../../runtime/random.ts';
import { createConversationRoots } from '../conversation-roots.ts';
import { type CursorOverlap, createCursorOverlap, recoverCursor } from '../cursor-overlap.ts';
import type { Query } from '../http-transport.ts';
import { dropFuturePosts } from '../plausibility.ts';
import { chunk, QUICK_RETRIES, withRetries } from '../retry.ts';
import type { HistoryRange, HttpPostSourceOptions, PostPage, PostSource } from '../source.ts';
import type { SpendMeter } from '../spend-meter.ts';
import { idAt, SNOWFLAKE_IDS } from '../status-id.ts';
import { type AcceptedPosts, readHistory, readNewPosts, type Timeline } from '../timeline.ts';
import { type ActivityConnection, createActivityConnection, openActivityStream } from './activity-stream.ts';
import { parseTweets } from './parse.ts';
import { createXReader, knownAuthors, presentIds, type XReader } from './reader.ts';
import { isNotFound, readCreditBalance, type TweetListWire } from './wire.ts';

export interface XPostSourceOptions extends HttpPostSourceOptions {
  random: Random;
  /** Shared by every account with the same credential. */
  meter?: SpendMeter;
  /** Likewise. */
  activities?: ActivityConnection;
}

const PAGE_SIZE = 100;
/** The timeline ends after 3,200 posts; this limit guards against a server with endless pages. */
const MAX_PAGES = 400;

interface Session extends XPostSourceOptions {
  reader: XReader;
  /** Posts of one page with their conversations; drops posts from the future. */
  accept(list: TweetListWire, signal: AbortSignal): Promise<AcceptedPosts>;
}

export function createXPostSource(options: XPostSourceOptions): PostSource {
  const session = openSession(options);
  const overlap = createCursorOverlap(options.clock, SNOWFLAKE_IDS);
  const connection = options.activities ?? createActivityConnection(options.http, options.clock);
  return {
    kind: 'x',
    name: options.name ?? 'x',
    knows: { replies: true, edits: true },
    lagMs: SECOND_MS,
    periodMs: options.periodMs ?? SECOND_MS,
    staleAfterMs: 30 * SECOND_MS,
    spend: () => options.meter?.summary() ?? null,
    fetchLatest: (cursor, signal) => fetchLatest(session, overlap, cursor, signal),
    fetchHistory: (range, onSkipped, signal) => fetchHistory(session, range, onSkipped, signal),
    findMissing: (postIds, signal) => findMissing(session, postIds, signal),
    async fetchByIds(postIds, signal) {
      const posts: Post[] = [];
      for (const ids of chunk(postIds, PAGE_SIZE))
        posts.push(...(await session.accept(await session.reader.lookUp(ids, signal), signal)).posts);
      return posts;
    },
    fetchCredit: async (signal) =>
      readCreditBalance(await options.http.getJson('/2/usage/credits', {}, signal)),
    openStream: (handlers, signal) =>
      openActivityStream(
        {
          account: options.account,
          connection,
          clock: options.clock,
          lookUp: async (id, within) => (await session.reader.lookUp([id], within)).tweets,
          accept: (tweets, within) => session.accept(listOf(tweets), within),
          charge: (ids) => session.reader.charge(ids),
          assertAffordable: () => options.meter?.assertWithinCap(),
        },
        handlers,
        signal,
      ),
  };
}

function listOf(tweets: readonly unknown[]): TweetListWire {
  return { tweets, errors: [], nextToken: null, included: { authors: new Map(), userIds: [] } };
}

function openSession(options: XPostSourceOptions): Session {
  const reader = createXReader(options);
  const roots = createConversationRoots((ids, signal) => reader.findOwners(ids, signal));
  return {
    ...options,
    reader,
    async accept(list, signal) {
      const authors = knownAuthors(list);
      const parsed = parseTweets(list.tweets, options.account, authors);
      const present = dropFuturePosts(parsed.posts, options.clock.now(), SNOWFLAKE_IDS);
      roots.noteOwn(parsed.ownIds);
      roots.noteAuthors(authors, options.account.platformUserId);
      const reported = await roots.resolve(present.posts, parsed.roots, signal);
      return { posts: reported.posts, skipped: [...parsed.skipped, ...present.skipped, ...reported.skipped] };
    },
  };
}

async function fetchLatest(
  session: Session,
  overlap: CursorOverlap,
  saved: string | null,
  signal: AbortSignal,
): Promise<PostPage> {
  const cursor = saved === null ? null : recoverCursor(saved, session.clock.now(), SNOWFLAKE_IDS);
  const sinceId = cursor === null ? null : overlap.startFrom(cursor);
  const read = await readNewPosts(
    timelineOf(session, { since_id: sinceId }, signal, (token, ask) =>
      token === null ? ask() : withRetries({ ...session, ...QUICK_RETRIES }, signal, ask),
    ),
    cursor,
  );
  if (read.problem === null) overlap.settle();
  return read;
}

function timelineOf(
  session: Session,
  bounds: Query,
  signal: AbortSignal,
  retry: (token: string | null, ask: () => Promise<TweetListWire>) => Promise<TweetListWire>,
): Timeline {
  return {
    name: 'x',
    maxPages: MAX_PAGES,
    async fetchPage(token) {
      const query: Query = { ...bounds, pagination_token: token };
      const list = await retry(token, () => fetchTimelinePage(session, query, signal));
      return {
        ...(await session.accept(list, signal)),
        next: list.tweets.length > 0 ? list.nextToken : null,
      };
    },
  };
}

function fetchTimelinePage(session: Session, query: Query, signal: AbortSignal): Promise<TweetListWire> {
  const path = `/2/users/${encodeURIComponent(session.account.platformUserId)}/tweets`;
  return session.reader.fetchPage(path, { max_results: PAGE_SIZE, ...query }, signal);
}

function fetchHistory(
  session: Session,
  { sinceTs, untilTs }: HistoryRange,
  onSkipped: Parameters<PostSource['fetchHistory']>[1],
  signal: AbortSignal,
): AsyncGenerator<Post[]> {
  const isResumed = untilTs < session.clock.now();
  const bounds: Query = {
    start_time: new Date(sinceTs).toISOString(),
    until_id: isResumed ? idAt(untilTs, SNOWFLAKE_IDS) : null,
  };
  const timeline = timelineOf(session, bounds, signal, (_, ask) => withRetries(session, signal, ask));
  return readHistory(timeline, onSkipped);
}

async function findMissing(
  session: Session,
  postIds: readonly string[],
  signal: AbortSignal,
): Promise<string[]> {
  const missing: string[] = [];
  for (const ids of chunk([...new Set(postIds)], PAGE_SIZE)) {
    const list = await session.reader.lookUpBare(ids, signal);
    const named = new Set(list.errors.filter(isNotFound).flatMap((problem) => problem.resourceId ?? []));
    const present = presentIds(list);
    missing.push(...ids.filter((id) => named.has(id) && !present.has(id)));
  }
  return missing;
}
