// Posts of one account from a Mastodon-compatible server: polls new statuses and looks up deleted ones.

import { compareIds, type Post } from '../../domain/post.ts';
import { SECOND_MS } from '../../domain/units.ts';
import { errorMessage } from '../../runtime/errors.ts';
import type { Random } from '../../runtime/random.ts';
import type { RootOwner } from '../conversation-roots.ts';
import { type CursorOverlap, createCursorOverlap, recoverCursor } from '../cursor-overlap.ts';
import type { HttpTransport, Query } from '../http-transport.ts';
import { dropFuturePosts } from '../plausibility.ts';
import { isStopped, QUICK_RETRIES, withRetries } from '../retry.ts';
import type { HistoryRange, HttpPostSourceOptions, PostPage, PostSource, SkippedItem } from '../source.ts';
import { idAt, MASTODON_IDS } from '../status-id.ts';
import { type AcceptedPosts, readHistory, readNewPosts } from '../timeline.ts';
import { asRecord, readName } from '../wire-reader.ts';
import {
  isGone,
  isTombstone,
  parseStatuses,
  readAccountId,
  readStatusId,
  readStatusList,
  unexpectedShape,
} from './parse.ts';

export interface MastodonPostSourceOptions extends HttpPostSourceOptions {
  random: Random;
}

interface Session extends MastodonPostSourceOptions {
  overlap: CursorOverlap;
  threads: ThreadWalk;
  /** Looked up by handle if the configuration does not set an id. */
  findUserId(signal: AbortSignal): Promise<string>;
}

const PAGE_SIZE = 40;
/**
 * Page size for the newest posts. They are requested without an id, because calls with an id count as paging,
 * which is limited to 300 per 15 minutes.
 */
const NEWEST_SIZE = 20;
const MAX_PAGES = 2_000;
/** The limit is 300 calls per 5 minutes: the poll uses half, id look-ups a third. */
const PERIOD_MS = 2 * SECOND_MS;
const LOOKUPS_PER_ROUND = 10;

export function createMastodonPostSource(options: MastodonPostSourceOptions): PostSource {
  const findUserId = rememberUserId(options);
  const session: Session = {
    ...options,
    overlap: createCursorOverlap(options.clock, MASTODON_IDS),
    threads: createThreadWalk(options.http, findUserId),
    findUserId,
  };
  let lookUpFrom = 0;
  return {
    kind: 'mastodon',
    name: options.name ?? 'mastodon',
    // The server excludes replies to others; it lists them only for signed-in callers.
    knows: { replies: true, edits: true },
    lagMs: SECOND_MS,
    periodMs: options.periodMs ?? PERIOD_MS,
    staleAfterMs: 30 * SECOND_MS,
    spend: () => null,
    fetchLatest: (cursor, signal) => fetchLatest(session, cursor, signal),
    fetchHistory: (range, onSkipped, signal) => fetchHistory(session, range, onSkipped, signal),
    async findMissing(postIds, signal) {
      const ids = [...new Set(postIds)];
      // Checks some of the ids per round, in rotation.
      const some = takeTurn(ids, lookUpFrom, LOOKUPS_PER_ROUND);
      lookUpFrom = ids.length === 0 ? 0 : (lookUpFrom + some.length) % ids.length;
      return findMissing(session, some, signal);
    },
    fetchByIds: (postIds, signal) => fetchByIds(session, postIds.slice(-LOOKUPS_PER_ROUND), signal),
  };
}

function takeTurn<T>(items: readonly T[], from: number, length: number): T[] {
  if (items.length <= length) return [...items];
  const start = from % items.length;
  return [...items.slice(start), ...items.slice(0, start)].slice(0, length);
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
  // Self-replies stay in the list; including replies to others would require signing in.
  const fixed = { limit: PAGE_SIZE, exclude_replies: true };
  const list = readStatusList(await session.http.getJson(path, { ...fixed, ...query }, signal));
  if (!list) throw unexpectedShape('the list of statuses');
  return list;
}

async function accept(
  session: Session,
  list: readonly unknown[],
  signal: AbortSignal,
): Promise<AcceptedPosts> {
  const parsed = parseStatuses(list, session.account, session.clock.now());
  const present = dropFuturePosts(parsed.posts, session.clock.now(), MASTODON_IDS);
  const reported = await session.threads.resolve(present.posts, parsed.parents, signal);
  return { posts: reported.posts, skipped: [...parsed.skipped, ...present.skipped, ...reported.skipped] };
}

async function fetchLatest(session: Session, saved: string | null, signal: AbortSignal): Promise<PostPage> {
  const cursor = saved === null ? null : recoverCursor(saved, session.clock.now(), MASTODON_IDS);
  const sinceId = cursor === null ? null : session.overlap.startFrom(cursor);
  const fetchOne = async (maxId: string | null) => {
    const ask = () => fetchPage(session, maxId === null ? { limit: NEWEST_SIZE } : { max_id: maxId }, signal);
    const list = await (maxId === null ? ask() : withRetries({ ...session, ...QUICK_RETRIES }, signal, ask));
    const next = findNext(list, maxId);
    const isEnough = next !== null && sinceId !== null && compareIds(next, sinceId) <= 0;
    return { ...(await accept(session, list, signal)), next: isEnough ? null : next };
  };
  const read = await readNewPosts({ name: 'mastodon', maxPages: MAX_PAGES, fetchPage: fetchOne }, cursor);
  if (read.problem === null) session.overlap.settle();
  return read;
}

function fetchHistory(
  session: Session,
  { sinceTs, untilTs }: HistoryRange,
  onSkipped: Parameters<PostSource['fetchHistory']>[1],
  signal: AbortSignal,
): AsyncGenerator<Post[]> {
  const startId = untilTs < session.clock.now() ? idAt(untilTs, MASTODON_IDS) : null;
  const fetchOne = async (token: string | null) => {
    const maxId = token ?? startId;
    const list = await withRetries(session, signal, () => fetchPage(session, { max_id: maxId }, signal));
    const { posts: all, skipped } = await accept(session, list, signal);
    const posts = all.filter((post) => post.createdTs >= sinceTs);
    return { posts, skipped, next: posts.length < all.length ? null : findNext(list, maxId) };
  };
  return readHistory({ name: 'mastodon', maxPages: MAX_PAGES, fetchPage: fetchOne }, onSkipped);
}

/**
 * The id to page on from. Servers may return short pages before the end, so only an empty or repeated page ends
 * the paging.
 */
function findNext(list: readonly unknown[], maxId: string | null): string | null {
  let oldest: string | null = null;
  for (const status of list) {
    const id = readStatusId(status);
    if (id !== null && (oldest === null || compareIds(id, oldest) < 0)) oldest = id;
  }
  return oldest !== null && (maxId === null || compareIds(oldest, maxId) < 0) ? oldest : null;
}

async function findMissing(
  session: Session,
  postIds: readonly string[],
  signal: AbortSignal,
): Promise<string[]> {
  const missing: string[] = [];
  for (const id of postIds) if (await isMissing(session, id, signal)) missing.push(id);
  return missing;
}

async function fetchByIds(
  session: Session,
  postIds: readonly string[],
  signal: AbortSignal,
): Promise<Post[]> {
  const statuses: unknown[] = [];
  for (const id of postIds) {
    const status = await findStatus(session, id, signal);
    if (status !== null) statuses.push(status);
  }
  return (await accept(session, statuses, signal)).posts;
}

async function isMissing(session: Session, postId: string, signal: AbortSignal): Promise<boolean> {
  return (await findStatus(session, postId, signal)) === null;
}

async function findStatus(session: Session, postId: string, signal: AbortSignal): Promise<unknown> {
  try {
    const path = `/api/v1/statuses/${encodeURIComponent(postId)}`;
    const status = await session.http.getJson(path, {}, signal);
    return isTombstone(status) ? null : status;
  } catch (error) {
    if (isGone(error)) return null;
    throw error;
  }
}

// Finds who started a thread by walking from reply to parent: these servers never return the root.

interface ThreadWalk {
  resolve(
    posts: readonly Post[],
    parents: ReadonlyMap<string, string>,
    signal: AbortSignal,
  ): Promise<{ posts: Post[]; skipped: SkippedItem[] }>;
}

const REMEMBERED = 20_000;
/** Longer threads of unknown posts are not followed to the end. */
const MAX_STEPS = 10;

function createThreadWalk(
  http: HttpTransport,
  /** The account's numeric id, which the configuration may omit. */
  findUserId: (signal: AbortSignal) => Promise<string>,
): ThreadWalk {
  /** null means the thread was walked but its owner is unknown. */
  const owners = new Map<string, RootOwner | null>();

  function remember(id: string, owner: RootOwner | null): void {
    owners.set(id, owner);
    if (owners.size <= REMEMBERED) return;
    const oldest = owners.keys().next().value;
    if (oldest !== undefined) owners.delete(oldest);
  }

  /** Owner of the thread that the status belongs to; null if unknown. */
  async function walk(id: string, steps: number, signal: AbortSignal): Promise<RootOwner | null> {
    const known = owners.get(id);
    if (known !== undefined) return known;
    if (steps >= MAX_STEPS) return null;
    const owner = await ask(id, steps, signal);
    remember(id, owner);
    return owner;
  }

  async function ask(id: string, steps: number, signal: AbortSignal): Promise<RootOwner | null> {
    const status = await fetchStatus(id, signal);
    const authorId = status && readName(asRecord(status.account) ?? {}, 'id');
    if (!status || !authorId) return null;
    const parentId = readName(status, 'in_reply_to_id');
    if (parentId) return walk(parentId, steps + 1, signal);
    return authorId === (await findUserId(signal)) ? 'own' : 'other';
  }

  async function fetchStatus(id: string, signal: AbortSignal) {
    try {
      return asRecord(await http.getJson(`/api/v1/statuses/${encodeURIComponent(id)}`, {}, signal));
    } catch (error) {
      if (isGone(error)) return null;
      throw error;
    }
  }

  return {
    async resolve(posts, parents, signal) {
      const skipped: SkippedItem[] = [];
      const reported: Post[] = [];
      for (const post of posts) if (!post.isReply) remember(post.postId, 'own');
      // Oldest first, so that a thread in one page is resolved from its start.
      for (const post of posts) {
        const parentId = post.isSelfReply ? parents.get(post.postId) : undefined;
        if (parentId === undefined) {
          reported.push(post);
          continue;
        }
        try {
          const owner = await walk(parentId, 0, signal);
          remember(post.postId, owner);
          reported.push(owner === null ? post : { ...post, conversation: owner });
        } catch (error) {
          if (isStopped(signal)) throw error;
          skipped.push({ what: `the thread of status ${post.postId}`, reason: errorMessage(error) });
          reported.push(post);
        }
      }
      return { posts: reported, skipped };
    },
  };
}
