// Roll Call's list of an account's posts: the second venue settles on it, and it is also a post source.

import type { Account } from '../../domain/account.ts';
import { type CountingRule, isCountedBy } from '../../domain/counting-rule.ts';
import { type CountWindow, isInside, type MarketEvent } from '../../domain/market-event.ts';
import type { Post } from '../../domain/post.ts';
import { DAY_MS, MINUTE_MS } from '../../domain/units.ts';
import { SourceError } from '../../runtime/errors.ts';
import { dropFuturePosts } from '../plausibility.ts';
import type {
  HistoryRange,
  HttpPostSourceOptions,
  PostPage,
  PostSource,
  SettlementReadings,
  SettlementSource,
} from '../source.ts';
import { asArray, asRecord, readFlag, readName, readText, readTs } from '../wire-reader.ts';

export const ROLLCALL = 'rollcall';
const PATH = '/wp-json/factbase/v1/twitter';
const PLATFORM = 'truth social';
/** Enough for ninety days at two hundred posts a day. */
const MAX_PAGES = 400;
/** Two days, to include late entries and the flags set by the last nightly run. */
const LOOK_BACK_MS = 2 * DAY_MS;
const SKIPPED_ROW = { what: 'a row', reason: 'it has no id or date' };

export function createRollcallPostSource(options: HttpPostSourceOptions): PostSource {
  const { account, clock } = options;
  return {
    kind: 'rollcall',
    name: options.name ?? ROLLCALL,
    knows: { replies: false, edits: true },
    keepsGone: true,
    lagMs: 4 * MINUTE_MS,
    periodMs: options.periodMs ?? MINUTE_MS,
    staleAfterMs: 15 * MINUTE_MS,
    spend: () => null,
    async fetchLatest(cursor, signal): Promise<PostPage> {
      const nowTs = clock.now();
      const { posts: rows, unreadable } = await fetchSince(options, nowTs - LOOK_BACK_MS, signal);
      const present = dropFuturePosts(
        rows.map((row) => parsePost(row, account, nowTs)).reverse(),
        nowTs,
        null,
      );
      const skipped = [...present.skipped, ...Array.from({ length: unreadable }, () => SKIPPED_ROW)];
      return { posts: present.posts, skipped, cursor: present.posts.at(-1)?.postId ?? cursor, problem: null };
    },
    async *fetchHistory({ sinceTs, untilTs }: HistoryRange, _onSkipped, signal) {
      for await (const page of walk(options, signal)) {
        const wanted = page.posts.filter(({ createdTs }) => createdTs >= sinceTs && createdTs < untilTs);
        const oldestTs = page.posts.at(-1)?.createdTs ?? null;
        if (wanted.length > 0) yield wanted.map((row) => parsePost(row, account, clock.now())).reverse();
        if (oldestTs !== null && oldestTs < sinceTs) return;
      }
    },
    async findMissing(postIds, signal) {
      const { posts } = await fetchSince(options, clock.now() - LOOK_BACK_MS, signal);
      const gone = new Set(posts.filter(({ isDeleted }) => isDeleted).map(({ postId }) => postId));
      return postIds.filter((id) => gone.has(id));
    },
  };
}

/** Counts of contracts that settle on the list, each by its own counting rule. */
export function createRollcallSettlement(options: HttpPostSourceOptions): SettlementSource {
  return {
    name: ROLLCALL,
    async fetchCounts(events: readonly MarketEvent[], signal): Promise<SettlementReadings> {
      const fromTs = Math.min(...events.map(({ window }) => window.startTs));
      const { posts, unreadable } = await fetchSince(options, fromTs, signal);
      const readings = events.flatMap(({ eventId, window, terms }) =>
        terms ? [{ eventId, count: countListed(posts, window, terms.countingRule) }] : [],
      );
      const deletedIds = posts.filter(({ isDeleted }) => isDeleted).map(({ postId }) => postId);
      const problem =
        unreadable > 0
          ? `${ROLLCALL}: ${unreadable} listed posts cannot be read (date, id, deleted_flag)`
          : null;
      return { readings, deletedIds, asofTs: options.clock.now(), problem };
    },
  };
}

async function fetchSince(
  options: HttpPostSourceOptions,
  sinceTs: number,
  signal: AbortSignal,
): Promise<{ posts: ListedPostWire[]; unreadable: number }> {
  const byId = new Map<string, ListedPostWire>();
  let unreadable = 0;
  for await (const page of walk(options, signal)) {
    // If the list shifts between two pages, a row appears twice.
    for (const post of page.posts) byId.set(post.postId, post);
    unreadable += page.unreadable;
    if ((page.posts.at(-1)?.createdTs ?? 0) < sinceTs) break;
  }
  const posts = [...byId.values()].filter(({ createdTs }) => createdTs >= sinceTs);
  return { posts: posts.sort((left, right) => right.createdTs - left.createdTs), unreadable };
}

async function* walk({ http }: HttpPostSourceOptions, signal: AbortSignal) {
  for (let page = 1; page <= MAX_PAGES; page++) {
    const query = { platform: PLATFORM, sort: 'date', sort_order: 'desc', page, format: 'json' };
    const read = readListPage(await http.getJson(PATH, query, signal));
    if (read.posts.length === 0) return;
    yield read;
  }
}

// Converts a listed row to a post. The list contains posts, reposts and quotes, and flags deletions.

/** The list flags a deleted post without a time, so `deletedTs` is when we first saw the flag. */
export function parsePost(wire: ListedPostWire, account: Account, nowTs: number): Post {
  return {
    accountId: account.accountId,
    postId: wire.postId,
    createdTs: wire.createdTs,
    text: wire.text,
    isReply: false,
    isQuote: wire.isQuote,
    isRetweet: wire.isRepost,
    isSelfReply: false,
    isCommunity: false,
    rootPostId: wire.postId,
    ...(wire.isDeleted ? { deletedTs: nowTs } : {}),
  };
}

/** A contract's count on this list. */
export function countListed(
  posts: readonly ListedPostWire[],
  window: CountWindow,
  rule: CountingRule,
): number {
  return posts.filter(
    (post) =>
      isInside(window, post.createdTs) &&
      (rule.deletedPosts || !post.isDeleted) &&
      isCountedBy(rule, {
        isReply: false,
        isQuote: post.isQuote,
        isRetweet: post.isRepost,
        isSelfReply: false,
        isCommunity: false,
      }),
  ).length;
}

// Rows we read from Roll Call's list of posts.

type ListedPostWire = NonNullable<ReturnType<typeof readRow>>;

export function readListPage(value: unknown) {
  const page = asRecord(value);
  const list = page && asArray(page.data);
  if (!list || page.error === true) throw unexpectedShape('the list of posts');
  const posts = list.flatMap((row) => readRow(row) ?? []);
  // A count of 0 would be wrong, and would look like a quiet week.
  if (posts.length === 0 && list.length > 0)
    throw unexpectedShape('every listed post (date, id, deleted_flag)');
  return { posts, unreadable: list.length - posts.length };
}

function readRow(value: unknown) {
  const row = asRecord(value);
  const createdTs = row && readTs(row, 'date');
  const postId = row && (idInUrl(readText(row, 'post_url')) ?? readName(row, 'id'));
  const isDeleted = row && readFlag(row, 'deleted_flag');
  if (!row || createdTs === null || !postId || isDeleted === null) return null;
  const social = asRecord(row.social) ?? {};
  const text = readText(row, 'text');
  return {
    postId,
    createdTs: createdTs!,
    text,
    isDeleted,
    isQuote: readFlag(social, 'quote_flag') ?? false,
    isRepost: readFlag(social, 'repost_flag') ?? /^\s*RT[:\s]/.test(text ?? ''),
    platform: (readName(row, 'platform') ?? '').toLowerCase(),
  };
}

/** The URL of the original ends with the platform's id. */
function idInUrl(url: string | null): string | null {
  return /\/(\d{5,20})\/?$/.exec(url ?? '')?.[1] ?? null;
}

function unexpectedShape(what: string): SourceError {
  return new SourceError(`rollcall: ${what} has an unexpected shape`, { isRetryable: true });
}
