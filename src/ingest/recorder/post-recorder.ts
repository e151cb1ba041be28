// Records posts and deletions: new posts are counted; repeated ones settle doubts or reveal contradictions.

import type { Account } from '../../domain/account.ts';
import { isCountedBy, isInDoubt } from '../../domain/counting-rule.ts';
import type { CapturedPost, Post, PostDeletion } from '../../domain/post.ts';
import { SECOND_MS } from '../../domain/units.ts';
import { isAhead } from '../../sources/plausibility.ts';
import { losesDeleted } from '../../state/changes.ts';
import type { RecorderOptions, RecorderState } from './recorder-state.ts';

/** Marks possible edits of known posts. Calls are serialised, so each one sees every other source's posts. */
export type MarkPosts = (posts: readonly Post[], known: readonly CapturedPost[]) => readonly Post[];

export interface PostRecorder {
  /** Returns the new posts, which are durable and counted. */
  capture(
    posts: readonly Post[],
    how: 'live' | 'history',
    source: string | undefined,
    mark: MarkPosts | undefined,
  ): Promise<CapturedPost[]>;
  /** Changes the verdict on doubtful posts. */
  judgeAgain(posts: readonly CapturedPost[]): Promise<void>;
  markDeleted(deletions: readonly PostDeletion[]): Promise<void>;
}

export function createPostRecorder(options: RecorderOptions, state: RecorderState): PostRecorder {
  const { account, store, clock, delays } = options;
  const { apply, write, noteDeleted, recount } = state;
  const sightings = createSightings(options.initial.recentPosts, options.doubtfulIds ?? []);
  /** Posts already marked as deleted; some sources report them in every response. */
  const knownGone = new Set<string>();

  async function capture(
    posts: readonly Post[],
    how: 'live' | 'history',
    source: string | undefined,
    mark: MarkPosts | undefined,
  ): Promise<CapturedPost[]> {
    const nowTs = clock.now();
    const marked = mark?.(posts, state.current().recentPosts) ?? posts;
    const present = marked.filter((post) => !isAhead(post.createdTs, nowTs));
    const seen = present.map((post) => toCapture(account, post, nowTs, source));
    await compare(
      seen.filter((post) => sightings.has(post.postId)),
      mark !== undefined,
    );
    await noteGone(seen.filter((post) => sightings.has(post.postId) && post.deletedTs !== null));
    const unknown = seen.filter((post) => !sightings.has(post.postId));
    if (unknown.length === 0) return [];
    const recorded = await write(() => store.posts.recordCaptures(unknown));
    // Version ids are only used to find a post's row, so they are not published.
    const fresh = recorded.map(({ versionIds: _, ...post }) => post);
    for (const [index, post] of present.entries()) sightings.add(seen[index]!, post.versionIds ?? []);
    if (fresh.length === 0) return [];
    if (how === 'live') for (const post of fresh) delays.add(post.firstSeenTs - post.createdTs);
    apply({ kind: 'posts-captured', posts: fresh, captureDelay: delays.summary() });
    return fresh;
  }

  /**
   * Handles posts seen before, by this source or another: a better source settles doubts; contradictions are
   * reported. A source that hides edits repeats a possible edit in every response, which settles nothing.
   */
  async function compare(again: readonly CapturedPost[], mayHideEdits: boolean): Promise<void> {
    const settling = again.filter((post) => !post.isDoubtful && sightings.isDoubtful(post.postId));
    if (settling.length > 0) {
      const settled = await write(() => store.posts.settleDoubts(settling, mayHideEdits));
      for (const post of mayHideEdits ? settled : settling) sightings.settle(post);
      if (settled.length > 0) await recount();
    }
    const contradiction = again
      .map((post) => sightings.findContradiction(post))
      .find((text) => text !== null);
    if (contradiction) apply({ kind: 'notice-set', about: 'contradiction', text: contradiction });
  }

  async function judgeAgain(posts: readonly CapturedPost[]): Promise<void> {
    const judged = await write(() => store.posts.settleDoubts(posts));
    for (const post of judged) if (!post.isDoubtful) sightings.settle(post);
    if (judged.length > 0) await recount();
  }

  /** Marks each post once, because later checks find its row already marked. */
  async function noteGone(gone: readonly CapturedPost[]): Promise<void> {
    const fresh = gone.filter(({ postId }) => !knownGone.has(postId));
    if (fresh.length === 0) return;
    const { accountId } = account;
    await markDeleted(fresh.map(({ postId, deletedTs }) => ({ accountId, postId, deletedTs: deletedTs! })));
    for (const { postId } of fresh) knownGone.add(postId);
  }

  async function markDeleted(deletions: readonly PostDeletion[]): Promise<void> {
    const isTextBlanked = options.blankTextOnDeletion;
    const marked = await write(() => store.posts.recordDeletions(deletions, isTextBlanked));
    if (marked.length === 0) return;
    noteDeleted(marked.length);
    apply({ kind: 'posts-deleted', deletions: marked, isTextBlanked });
    if (state.current().events.some(losesDeleted)) await recount();
  }

  return { capture, judgeAgain, markDeleted };
}

function toCapture(
  account: Account,
  { isDoubtful: isUndecided = false, mayBeEdit = false, ...post }: Post,
  nowTs: number,
  source: string | undefined,
): CapturedPost {
  const judged = { ...post, isDoubtful: isUndecided };
  const isCounted = isCountedBy(account.countingRule, judged);
  const isDoubtful = isInDoubt(account.countingRule, judged) || (mayBeEdit && isCounted);
  return {
    ...post,
    firstSeenTs: nowTs,
    deletedTs: post.deletedTs ?? null,
    // Most posts that repeat a text under a new id are edits; the count's bounds cover the rest.
    isCounted: isCounted && !mayBeEdit,
    ...(isDoubtful ? { isDoubtful: true } : {}),
    ...(source === undefined ? {} : { firstSource: source }),
  };
}

// Remembers recently seen posts and their verdicts, so that the overlap of two polls or two sources does not
// reach the disk, and contradictions between sources are noticed.

interface Sightings {
  has(postId: string): boolean;
  add(post: CapturedPost, versionIds: readonly string[]): void;
  isDoubtful(postId: string): boolean;
  /** A better-informed source has settled whether the post counts. */
  settle(post: CapturedPost): void;
  /** Describes how the post differs from an earlier sighting; null if the sources agree. */
  findContradiction(post: CapturedPost): string | null;
}

interface Sighting {
  isCounted: boolean;
  isDoubtful: boolean;
  createdTs: number;
  source: string | undefined;
}

const REMEMBERED = 5_000;
/** Some sources truncate times to whole seconds, and some round them. */
const SAME_TIME_MS = 5 * SECOND_MS;

function createSightings(recent: readonly CapturedPost[], doubtfulIds: readonly string[]): Sightings {
  const seen = new Map<string, Sighting>();
  /** Separate, because a doubt may be settled long after the post left `seen`. */
  const doubtful = new Set(doubtfulIds);
  for (const post of recent) remember(post.postId, post);

  function remember(postId: string, post: CapturedPost): void {
    const { isCounted, createdTs, firstSource, isDoubtful = false } = post;
    seen.set(postId, { isCounted, isDoubtful, createdTs, source: firstSource });
    if (isDoubtful) doubtful.add(postId);
    if (seen.size <= REMEMBERED) return;
    const oldest = seen.keys().next().value;
    if (oldest !== undefined) seen.delete(oldest);
  }

  return {
    has: (postId) => seen.has(postId) || doubtful.has(postId),
    isDoubtful: (postId) => doubtful.has(postId),
    add(post, versionIds) {
      for (const id of [post.postId, ...versionIds]) if (!seen.has(id)) remember(id, post);
    },
    settle(post) {
      doubtful.delete(post.postId);
      seen.delete(post.postId);
      remember(post.postId, post);
    },
    findContradiction(post) {
      const before = seen.get(post.postId);
      if (!before || before.source === post.firstSource || before.isDoubtful || post.isDoubtful) return null;
      const [first, second] = [before.source ?? 'an earlier source', post.firstSource ?? 'another source'];
      if (before.isCounted !== post.isCounted) {
        const [yes, no] = before.isCounted ? [first, second] : [second, first];
        return `post ${post.postId} counts according to ${yes} but not according to ${no}`;
      }
      if (Math.abs(before.createdTs - post.createdTs) <= SAME_TIME_MS) return null;
      const apartS = Math.round(Math.abs(before.createdTs - post.createdTs) / SECOND_MS);
      return `post ${post.postId}: ${first} and ${second} date it ${apartS} s apart`;
    },
  };
}
