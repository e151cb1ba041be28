// If edits get new ids and the source does not link them, a new post may be an edit: its words are similar,
// the two are at most an hour apart, and the old post is missing from a list that reaches past it. An edit
// counts once, a deleted and rewritten post twice; the two look alike here, so the count has bounds.

import type { Post } from './post.ts';
import { HOUR_MS } from './units.ts';

/** X allows edits for half an hour, or an hour for some accounts. */
export const EDITABLE_MS = HOUR_MS;
const ALIKE_SHARE = 0.7;
const MIN_WORDS_SHARED = 2;

/**
 * Marks posts on a page that may be another version of a known post. A list that retains deleted posts
 * contains both versions, so only the words decide.
 */
export function markPossibleEdits(
  page: readonly Post[],
  known: readonly Post[],
  listKeepsGone = false,
): Post[] {
  const onPage = new Set(page.map(({ postId }) => postId));
  const knownIds = new Set(known.map(({ postId }) => postId));
  const fromTs = Math.min(...page.map(({ createdTs }) => createdTs));
  const missing = known.filter((post) => !onPage.has(post.postId) && post.createdTs >= fromTs);
  const others = (post: Post): readonly Post[] =>
    listKeepsGone ? [...known, ...page.filter((one) => one.createdTs < post.createdTs)] : missing;
  return page.map((post) =>
    !knownIds.has(post.postId) && others(post).some((other) => isMaybeSame(post, other))
      ? { ...post, mayBeEdit: true }
      : post,
  );
}

/** Known posts in the page's time range; a page of older posts says nothing about newer ones. */
export function withinPage<P extends Post>(known: readonly P[], page: readonly Post[]): P[] {
  const toTs = Math.max(...page.map(({ createdTs }) => createdTs));
  return known.filter(({ createdTs }) => createdTs <= toTs);
}

/** Marks posts that may be versions of posts from another source. */
export function markVersionsOf(posts: readonly Post[], known: readonly Post[]): Post[] {
  return posts.map((post) =>
    known.some((other) => isMaybeSame(post, other)) ? { ...post, mayBeEdit: true } : post,
  );
}

function isMaybeSame(post: Post, old: Post): boolean {
  if (post.postId === old.postId || Math.abs(post.createdTs - old.createdTs) > EDITABLE_MS) return false;
  if (post.isRetweet || old.isRetweet) return false;
  return areAlike(wordsOf(post.text), wordsOf(old.text));
}

function areAlike(left: ReadonlySet<string>, right: ReadonlySet<string>): boolean {
  const shared = [...left].filter((word) => right.has(word)).length;
  const longest = Math.max(left.size, right.size);
  return shared >= MIN_WORDS_SHARED && shared >= ALIKE_SHARE * longest;
}

function wordsOf(text: string | null): Set<string> {
  return new Set((text ?? '').toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
}
