// Posts of one account from a mirror's RSS feed: minutes late, and only the newest items.

import { MINUTE_MS, SECOND_MS } from '../../domain/units.ts';
import { SourceError } from '../../runtime/errors.ts';
import { dropFuturePosts } from '../future-posts.ts';
import type { HistoryRange, HttpPostSourceOptions, PostPage, PostSource } from '../source.ts';
import { idClockOf, newestId } from '../status-id.ts';
import { ShapeError } from '../wire-reader.ts';
import { parseFeed } from './parse.ts';

export function createRssPostSource(options: HttpPostSourceOptions): PostSource {
  let lastLength = 0;

  async function read(cursor: string | null, signal: AbortSignal): Promise<PostPage> {
    const feed = parseFeed(await options.http.getText('', {}, signal), options.account);
    if (!feed) throw new ShapeError('rss: the response is not a feed');
    if (feed.posts.length === 0 && lastLength > 0)
      throw new SourceError('rss: the feed is empty after a non-empty one', { isRetryable: true });
    lastLength = feed.posts.length;
    const present = dropFuturePosts(feed.posts, options.clock.now(), idClockOf(options.account.platform));
    const ids = present.posts.map((post) => post.postId);
    return {
      posts: present.posts,
      skipped: [...feed.skipped, ...present.skipped],
      cursor: newestId(ids, null) ?? cursor,
      problem: feed.isCutOff ? 'rss: the feed is cut off' : null,
    };
  }

  return {
    kind: 'rss',
    name: options.name ?? 'rss',
    // Only X gives an edited post a new id.
    knows: { replies: false, edits: options.account.platform !== 'x' },
    keepsGone: true,
    lagMs: 3 * MINUTE_MS,
    // The mirror itself polls every 60 to 90 s.
    periodMs: options.periodMs ?? 75 * SECOND_MS,
    staleAfterMs: 10 * MINUTE_MS,
    isBackfillOnly: false,
    spend: () => null,
    fetchLatest: read,
    /** The feed's items are the only history available. */
    async *fetchHistory({ sinceTs, untilTs }: HistoryRange, onSkipped, signal) {
      const { posts, skipped } = await read(null, signal);
      const wanted = posts.filter((post) => post.createdTs >= sinceTs && post.createdTs < untilTs);
      onSkipped(skipped);
      if (wanted.length > 0) yield wanted;
    },
  };
}
