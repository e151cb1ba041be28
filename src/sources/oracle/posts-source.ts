// The oracle's list of posts as a source: needs no credential, is minutes late, and works for every operator.
// It keeps every counted post, but has no flags or deletions.

import type { Account } from '../../domain/account.ts';
import type { Post } from '../../domain/post.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../domain/units.ts';
import { SourceError } from '../../runtime/errors.ts';
import { dropFuturePosts } from '../plausibility.ts';
import type {
  HistoryRange,
  OraclePost,
  OracleSource,
  PostPage,
  PostSource,
  PostSourceOptions,
  SkippedItem,
} from '../source.ts';

export interface OraclePostSourceOptions extends PostSourceOptions {
  oracle: OracleSource;
}

/** How far back each poll reads: two thirds of posts arrive late, one in a hundred days late. */
const LOOK_BACK_MS = 2 * DAY_MS;
const DEEP_LOOK_BACK_MS = 14 * DAY_MS;
const DEEP_LOOK_EVERY_MS = HOUR_MS;
const HISTORY_CHUNK_MS = 30 * DAY_MS;
/** After this many empty chunks we assume the oracle has nothing older. */
const EMPTY_CHUNKS_TO_STOP = 2;

export function createOraclePostSource(options: OraclePostSourceOptions): PostSource {
  const { oracle, clock, account } = options;
  let deepLookTs = Number.NEGATIVE_INFINITY;
  let lastLength = 0;

  async function fetchLatest(cursor: string | null, signal: AbortSignal): Promise<PostPage> {
    const nowTs = clock.now();
    const isDeep = nowTs - deepLookTs >= DEEP_LOOK_EVERY_MS;
    const startTs = nowTs - (isDeep ? DEEP_LOOK_BACK_MS : LOOK_BACK_MS);
    const unread: SkippedItem[] = [];
    const span = { startTs, endTs: nowTs + HOUR_MS };
    const listed = await oracle.fetchPosts(span, signal, (item) => unread.push(item));
    if (listed.length === 0 && lastLength > 1)
      throw new SourceError('oracle: the list of posts is empty after a non-empty one', {
        isRetryable: true,
      });
    if (!isDeep || listed.length > 0) lastLength = listed.length;
    if (isDeep) deepLookTs = nowTs;
    const present = dropFuturePosts(toPosts(account, listed), nowTs, null);
    const newest = present.posts.at(-1);
    return {
      posts: present.posts,
      skipped: [...unread, ...present.skipped],
      cursor: newest ? newest.postId : cursor,
      problem: null,
      asofTs: oracle.lastSyncTs(),
    };
  }

  return {
    kind: 'oracle',
    name: options.name ?? 'oracle',
    // Only X gives an edited post a new id.
    knows: { replies: false, edits: account.platform !== 'x' },
    lagMs: 3 * MINUTE_MS,
    periodMs: options.periodMs ?? 30 * SECOND_MS,
    // The oracle syncs every four and a half minutes and occasionally skips a sync.
    staleAfterMs: 15 * MINUTE_MS,
    spend: () => null,
    fetchLatest,
    async *fetchHistory({ sinceTs, untilTs }: HistoryRange, onSkipped, signal) {
      let emptyChunks = 0;
      for (let endTs = untilTs; endTs > sinceTs && emptyChunks < EMPTY_CHUNKS_TO_STOP; ) {
        const startTs = Math.max(sinceTs, endTs - HISTORY_CHUNK_MS);
        const unread: SkippedItem[] = [];
        const listed = await oracle.fetchPosts({ startTs, endTs }, signal, (item) => unread.push(item));
        const posts = toPosts(account, listed);
        emptyChunks = posts.length === 0 ? emptyChunks + 1 : 0;
        const present = dropFuturePosts(posts, clock.now(), null);
        onSkipped([...unread, ...present.skipped]);
        if (present.posts.length > 0) yield present.posts;
        endTs = startTs;
      }
    },
  };
}

function toPosts(account: Account, listed: readonly OraclePost[]): Post[] {
  return listed.map((post) => fromOraclePost(account.accountId, post));
}

/** The oracle keeps only posts that count, so the post counts by the rule; a mention makes it doubtful. */
export function fromOraclePost(accountId: string, post: OraclePost): Post {
  return {
    accountId,
    postId: post.postId,
    createdTs: post.createdTs,
    text: post.text,
    isRetweet: post.isRetweet,
    isReply: false,
    isQuote: false,
    isSelfReply: false,
    isCommunity: false,
    rootPostId: post.postId,
    ...(post.mayBeReply ? { isDoubtful: true } : {}),
  };
}
