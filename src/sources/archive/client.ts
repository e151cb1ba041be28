// A public archive of an account's posts: one JSON array of many megabytes. It is hours behind, so it serves
// history only.

import type { Account } from '../../domain/account.ts';
import { compareIds, type Post } from '../../domain/post.ts';
import { DAY_MS, HOUR_MS } from '../../domain/units.ts';
import { dropFuturePosts } from '../future-posts.ts';
import { htmlToText } from '../html-text.ts';
import { guessMirrored } from '../mirrored-post.ts';
import type { HistoryRange, HttpPostSourceOptions, PostSource, SkippedItem } from '../source.ts';
import { idClockOf, isStatusId } from '../status-id.ts';
import { asRecord, readName, readText, readTs } from '../wire-reader.ts';
import { createObjectSplitter } from './split-objects.ts';

const BATCH_SIZE = 500;

export function createArchivePostSource(options: HttpPostSourceOptions): PostSource {
  const { account, http, clock } = options;

  /** All posts in the range, newest first, so that an interrupted backfill knows where to resume. */
  async function readRange(
    { sinceTs, untilTs }: HistoryRange,
    signal: AbortSignal,
  ): Promise<{ posts: Post[]; skipped: SkippedItem[] }> {
    const splitter = createObjectSplitter(http.name);
    const posts: Post[] = [];
    const skipped: SkippedItem[] = [];
    await http.readPieces(
      '',
      {},
      (piece) => {
        for (const entry of splitter.push(piece)) {
          const post = parseArchived(entry, account);
          if ('reason' in post) skipped.push(post);
          else if (post.createdTs >= sinceTs && post.createdTs < untilTs) posts.push(post);
        }
      },
      signal,
    );
    splitter.end();
    const present = dropFuturePosts(posts, clock.now(), idClockOf(account.platform));
    present.posts.sort(
      (left, right) => right.createdTs - left.createdTs || compareIds(right.postId, left.postId),
    );
    return { posts: present.posts, skipped: [...skipped, ...present.skipped] };
  }

  return {
    kind: 'archive',
    name: options.name ?? 'archive',
    // Only X gives an edited post a new id.
    knows: { replies: false, edits: account.platform !== 'x' },
    keepsGone: true,
    lagMs: 2 * HOUR_MS,
    periodMs: options.periodMs ?? DAY_MS,
    staleAfterMs: 2 * DAY_MS,
    isBackfillOnly: true,
    spend: () => null,
    async fetchLatest(cursor, signal) {
      const nowTs = clock.now();
      const { posts, skipped } = await readRange({ sinceTs: nowTs - 7 * DAY_MS, untilTs: nowTs }, signal);
      return { posts: posts.reverse(), skipped, cursor, problem: null };
    },
    async *fetchHistory(range, onSkipped, signal) {
      const { posts, skipped } = await readRange(range, signal);
      onSkipped(skipped);
      for (let from = 0; from < posts.length; from += BATCH_SIZE)
        yield posts.slice(from, from + BATCH_SIZE).reverse();
    },
  };
}

export function parseArchived(value: unknown, account: Account): Post | SkippedItem {
  const entry = asRecord(value);
  const postId = entry && readName(entry, 'id');
  if (!entry || !postId || !isStatusId(postId)) return { what: 'an entry', reason: 'it has no usable id' };
  const createdTs = readTs(entry, 'created_at');
  if (createdTs === null) return { what: `post ${postId}`, reason: 'it has no creation time' };
  const content = readText(entry, 'content');
  return guessMirrored(account, {
    postId,
    createdTs,
    text: content === null ? null : htmlToText(content),
    originalUrl: readName(entry, 'url'),
  });
}
