// Posts of one account from twitterapi.io: about 20 per page, newest first, paid per post and per call.

import { compareIds, type Post } from '../../domain/post.ts';
import { MINUTE_MS, SECOND_MS } from '../../domain/units.ts';
import type { Random } from '../../runtime/random.ts';
import { createConversationRoots, type RootOwner } from '../conversation-roots.ts';
import { recoverCursor } from '../cursor-overlap.ts';
import { dropFuturePosts } from '../plausibility.ts';
import { TWITTERAPI_PERIOD_MS } from '../post-costs.ts';
import { withRetries } from '../retry.ts';
import type { HistoryRange, HttpPostSourceOptions, PostPage, PostSource } from '../source.ts';
import type { SpendMeter } from '../spend-meter.ts';
import { SNOWFLAKE_IDS } from '../status-id.ts';
import { type AcceptedPosts, readHistory, readNewPosts } from '../timeline.ts';
import { asRecord, readName } from '../wire-reader.ts';
import { isByAccount, parsePage, readPage, type TwitterapiPage, unexpectedShape } from './parse.ts';

export interface TwitterapiPostSourceOptions extends HttpPostSourceOptions {
  random: Random;
  meter?: SpendMeter;
}

/** USD per returned post, and the minimum per call. */
const POST_USD = 0.000_15;
const MAX_PAGES = 500;
/** Overlap between two polls, because a post can appear after a newer one. */
const LOOK_BACK_POSTS = 3;

export function createTwitterapiPostSource(options: TwitterapiPostSourceOptions): PostSource {
  const { account, clock } = options;
  const roots = createConversationRoots((ids, signal) => findOwners(options, ids, signal));

  async function accept(page: TwitterapiPage, signal: AbortSignal): Promise<AcceptedPosts> {
    const parsed = parsePage(page.tweets, account);
    const present = dropFuturePosts(parsed.posts, clock.now(), SNOWFLAKE_IDS);
    roots.noteOwn(present.posts.map((post) => post.postId));
    const reported = await roots.resolve(present.posts, parsed.roots, signal);
    return { posts: reported.posts, skipped: [...parsed.skipped, ...present.skipped, ...reported.skipped] };
  }

  function fetchLatest(saved: string | null, signal: AbortSignal): Promise<PostPage> {
    const cursor = saved === null ? null : recoverCursor(saved, clock.now(), SNOWFLAKE_IDS);
    const fetchPage = async (token: string | null) => {
      const given = await fetchTweets(options, token, signal);
      const accepted = await accept(given, signal);
      const isEnough = cursor !== null && reaches(accepted.posts, cursor);
      return { ...accepted, next: isEnough ? null : given.nextCursor };
    };
    return readNewPosts({ name: 'twitterapi', maxPages: MAX_PAGES, fetchPage }, cursor);
  }

  function fetchHistory(
    { sinceTs, untilTs }: HistoryRange,
    onSkipped: Parameters<PostSource['fetchHistory']>[1],
    signal: AbortSignal,
  ): AsyncGenerator<Post[]> {
    const fetchPage = async (token: string | null) => {
      const given = await withRetries(options, signal, () => fetchTweets(options, token, signal));
      const { posts: all, skipped } = await accept(given, signal);
      const posts = all.filter((post) => post.createdTs >= sinceTs && post.createdTs < untilTs);
      const isEnough = all[0] !== undefined && all[0].createdTs < sinceTs;
      return { posts, skipped, next: isEnough ? null : given.nextCursor };
    };
    return readHistory({ name: 'twitterapi', maxPages: MAX_PAGES, fetchPage }, onSkipped);
  }

  return {
    kind: 'twitterapi',
    name: options.name ?? 'twitterapi',
    knows: { replies: true, edits: false },
    lagMs: 5 * SECOND_MS,
    periodMs: options.periodMs ?? TWITTERAPI_PERIOD_MS,
    staleAfterMs: 3 * MINUTE_MS,
    isBackfillOnly: false,
    spend: () => options.meter?.summary() ?? null,
    fetchLatest,
    fetchHistory,
  };
}

/** Whether the page reaches a few posts past the cursor. */
function reaches(posts: readonly Post[], cursor: string): boolean {
  return posts.filter((post) => compareIds(post.postId, cursor) <= 0).length >= LOOK_BACK_POSTS;
}

async function fetchTweets(
  options: TwitterapiPostSourceOptions,
  cursor: string | null,
  signal: AbortSignal,
): Promise<TwitterapiPage> {
  options.meter?.assertWithinCap();
  const query = { userName: options.account.handle, includeReplies: true, cursor };
  const answer = await options.http.getJson('/twitter/user/last_tweets', query, signal);
  const page = readPage(answer);
  if (!page) {
    const said = readName(asRecord(answer) ?? {}, 'message');
    const what = said === null ? 'the list has an unexpected shape' : said.slice(0, 200);
    throw unexpectedShape(what);
  }
  options.meter?.charge(Math.max(1, page.tweets.length) * POST_USD);
  return page;
}

async function findOwners(
  options: TwitterapiPostSourceOptions,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<Map<string, RootOwner>> {
  options.meter?.assertWithinCap();
  const page = readPage(await options.http.getJson('/twitter/tweets', { tweet_ids: ids.join(',') }, signal));
  options.meter?.charge(Math.max(1, page?.tweets.length ?? 0) * POST_USD);
  const owners = new Map<string, RootOwner>();
  for (const value of page?.tweets ?? []) {
    const tweet = asRecord(value) ?? {};
    const [id, isOwn] = [readName(tweet, 'id'), isByAccount(tweet, options.account)];
    if (id && isOwn !== null) owners.set(id, isOwn ? 'own' : 'other');
  }
  return owners;
}
