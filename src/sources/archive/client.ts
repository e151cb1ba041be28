// A public archive of an account's posts: one JSON array of many megabytes. It is hours behind, so it serves
// history only.

import type { Account } from '../../domain/account.ts';
import { compareIds, type Post } from '../../domain/post.ts';
import { DAY_MS, HOUR_MS } from '../../domain/units.ts';
import type { SourceError } from '../../runtime/errors.ts';
import { guessMirrored, htmlToText } from '../mirrored-post.ts';
import { dropFuturePosts } from '../plausibility.ts';
import type { HistoryRange, HttpPostSourceOptions, PostSource, SkippedItem } from '../source.ts';
import { idClockOf, isStatusId } from '../status-id.ts';
import { asRecord, readName, readText, readTs, ShapeError } from '../wire-reader.ts';

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
  });
}

// Splits one long JSON array into objects as its text arrives, so a 19 MB archive is never held in memory.

interface ObjectSplitter {
  /** Accepts the next chunk and returns the objects it completes, parsed. */
  push(piece: string): unknown[];
  /** Throws if the text ended in the middle of the array. */
  end(): void;
}

/** Far larger than any single post. */
const MAX_OBJECT_LENGTH = 1024 * 1024;

const QUOTE = 34;
const BACKSLASH = 92;
const OPEN = 123;
const CLOSE = 125;
const ARRAY_END = 93;

export function createObjectSplitter(name: string): ObjectSplitter {
  let rest = '';
  let at = 0;
  let depth = 0;
  let start = -1;
  let isInText = false;
  let isEscaped = false;
  let hasEnded = false;

  function step(code: number): 'object' | null {
    if (isInText) {
      if (isEscaped) isEscaped = false;
      else if (code === BACKSLASH) isEscaped = true;
      else if (code === QUOTE) isInText = false;
      return null;
    }
    if (code === QUOTE) isInText = true;
    else if (code === OPEN) {
      if (depth++ === 0) start = at;
    } else if (code === CLOSE) return --depth === 0 ? 'object' : null;
    else if (code === ARRAY_END && depth === 0) hasEnded = true;
    return null;
  }

  return {
    push(piece) {
      rest += piece;
      const found: unknown[] = [];
      for (; at < rest.length; at++) {
        if (step(rest.charCodeAt(at)) === 'object') found.push(parse(rest.slice(start, at + 1), name));
      }
      // Only the unfinished object is kept.
      const keepFrom = depth > 0 ? start : rest.length;
      rest = rest.slice(keepFrom);
      at -= keepFrom;
      start = 0;
      if (rest.length > MAX_OBJECT_LENGTH) throw broken(name, 'an unterminated entry');
      return found;
    },
    end() {
      if (depth !== 0 || !hasEnded) throw broken(name, 'the archive was cut off');
    },
  };
}

function parse(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw broken(name, 'an entry that is not JSON');
  }
}

function broken(name: string, what: string): SourceError {
  return new ShapeError(`${name}: ${what}`);
}
