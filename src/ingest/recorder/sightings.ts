// Remembers recently seen posts and their verdicts, so that the overlap of two polls or two sources does not
// reach the disk, and contradictions between sources are noticed.

import type { CapturedPost } from '../../domain/post.ts';
import { SECOND_MS } from '../../domain/units.ts';

export interface Sightings {
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

export function createSightings(recent: readonly CapturedPost[], doubtfulIds: readonly string[]): Sightings {
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
