// Posts of one account from a Mastodon-compatible server: statuses polled by since_id, look-ups for deletions.

import type { Account } from '../../domain/account.ts';
import type { Post } from '../../domain/post.ts';
import { compareIds } from '../../domain/post-id.ts';
import type { Clock } from '../../runtime/clock.ts';
import { errorMessage } from '../../runtime/errors.ts';
import type { Random } from '../../runtime/random.ts';
import type { CursorOverlap } from '../cursor-overlap.ts';
import { createCursorOverlap } from '../cursor-overlap.ts';
import type { HttpTransport, Query } from '../http-transport.ts';
import { mapWidth, QUICK_RETRIES, withRetries } from '../retry.ts';
import type { PostPage, PostSource, SkippedItem } from '../source.ts';
import { MASTODON_IDS, newestId } from '../status-id.ts';
import { isGone, unexpectedShape } from './errors.ts';
import { parseStatuses } from './parse.ts';
import { readAccountId, readStatusId, readStatusList } from './wire.ts';

export interface MastodonPostSourceOptions {
  account: Account;
  http: HttpTransport;
  clock: Clock;
  random: Random;
}

interface Session extends MastodonPostSourceOptions {
  overlap: CursorOverlap;
  /** Found by the handle when the configuration has no id. */
  findUserId(signal: AbortSignal): Promise<string>;
}

const PAGE_SIZE = 40;
const MAX_PAGES = 2_000;
const LOOKUP_WIDTH = 4;

export function createMastodonPostSource(options: MastodonPostSourceOptions): PostSource {
  const session: Session = {
    ...options,
    overlap: createCursorOverlap(options.clock, MASTODON_IDS),
    findUserId: rememberUserId(options),
  };
  return {
    kind: 'mastodon',
    fetchLatest: (cursor, signal) => fetchLatest(session, cursor, signal),
    fetchHistory: (sinceTs, onProgress, signal) => fetchHistory(session, sinceTs, onProgress, signal),
    findMissing: (postIds, signal) => findMissing(session, postIds, signal),
  };
}

function rememberUserId(options: MastodonPostSourceOptions): Session['findUserId'] {
  let userId: string | null = options.account.platformUserId || null;
  return async (signal) => {
    if (userId === null) {
      const answer = await options.http.getJson(
        '/api/v1/accounts/lookup',
        { acct: options.account.handle },
        signal,
      );
      userId = readAccountId(answer);
      if (userId === null) throw unexpectedShape('the account');
    }
    return userId;
  };
}

async function fetchPage(session: Session, query: Query, signal: AbortSignal): Promise<readonly unknown[]> {
  const userId = await session.findUserId(signal);
  const path = `/api/v1/accounts/${encodeURIComponent(userId)}/statuses`;
  const list = readStatusList(await session.http.getJson(path, { limit: PAGE_SIZE, ...query }, signal));
  if (!list) throw unexpectedShape('the list of statuses');
  return list;
}

async function fetchLatest(session: Session, cursor: string | null, signal: AbortSignal): Promise<PostPage> {
  const sinceId = cursor === null ? null : session.overlap.startFrom(cursor);
  const posts: Post[] = [];
  const skipped: SkippedItem[] = [];
  let maxId: string | null = null;
  for (let page = 0; page < MAX_PAGES; page++) {
    try {
      const query: Query = { since_id: sinceId, max_id: maxId };
      const list = await (page === 0
        ? fetchPage(session, query, signal)
        : withRetries({ ...session, ...QUICK_RETRIES }, signal, () => fetchPage(session, query, signal)));
      const parsed = parseStatuses(list, session.account);
      posts.unshift(...parsed.posts);
      skipped.push(...parsed.skipped);
      const nextMaxId = oldestId(list);
      if (cursor === null || !shouldPageOn(list, maxId, nextMaxId)) break;
      maxId = nextMaxId;
    } catch (error) {
      if (page === 0) throw error;
      return { posts, skipped, cursor, problem: errorMessage(error) };
    }
  }
  session.overlap.settle();
  const ids = posts.map((post) => post.postId);
  return { posts, skipped, cursor: newestId(ids, cursor), problem: null };
}

async function* fetchHistory(
  session: Session,
  sinceTs: number,
  onProgress: Parameters<PostSource['fetchHistory']>[1],
  signal: AbortSignal,
): AsyncGenerator<Post[]> {
  let maxId: string | null = null;
  let fetchedPosts = 0;
  let oldestTs: number | null = null;
  for (let page = 0; page < MAX_PAGES; page++) {
    const query: Query = { max_id: maxId };
    const list = await withRetries(session, signal, () => fetchPage(session, query, signal));
    const all = parseStatuses(list, session.account).posts;
    const posts = all.filter((post) => post.createdTs >= sinceTs);
    fetchedPosts += posts.length;
    oldestTs = posts[0]?.createdTs ?? oldestTs;
    const nextMaxId = oldestId(list);
    const isDone = posts.length < all.length || !shouldPageOn(list, maxId, nextMaxId);
    onProgress({ fetchedPosts, oldestTs, hasReachedPlatformLimit: false });
    if (posts.length > 0) yield posts;
    if (isDone) return;
    maxId = nextMaxId;
  }
}

/** Servers may give less than a full page before the end, so only an empty or standing page ends the walk. */
function shouldPageOn(list: readonly unknown[], maxId: string | null, nextMaxId: string | null): boolean {
  if (list.length === 0 || nextMaxId === null) return false;
  return maxId === null || compareIds(nextMaxId, maxId) < 0;
}

function oldestId(list: readonly unknown[]): string | null {
  let oldest: string | null = null;
  for (const status of list) {
    const id = readStatusId(status);
    if (id !== null && (oldest === null || compareIds(id, oldest) < 0)) oldest = id;
  }
  return oldest;
}

async function findMissing(
  session: Session,
  postIds: readonly string[],
  signal: AbortSignal,
): Promise<string[]> {
  const ids = [...new Set(postIds)];
  const verdicts = await mapWidth(ids, LOOKUP_WIDTH, (id) => isMissing(session, id, signal));
  return ids.filter((_, index) => verdicts[index]);
}

async function isMissing(session: Session, postId: string, signal: AbortSignal): Promise<boolean> {
  try {
    await session.http.getJson(`/api/v1/statuses/${encodeURIComponent(postId)}`, {}, signal);
    return false;
  } catch (error) {
    if (isGone(error)) return true;
    throw error;
  }
}
