// Determines who started the conversation of a self-reply. Most roots are known posts of the account; the
// others are looked up once.

import type { Post } from '../domain/post.ts';
import { errorMessage } from '../runtime/errors.ts';
import { isStopped } from './retry.ts';
import type { SkippedItem } from './source.ts';

export interface ConversationRoots {
  /** The account's own post ids, including every version of edited posts. */
  noteOwn(postIds: Iterable<string>): void;
  /** Authors included with a page: roots among them need no look-up. */
  noteAuthors(authors: ReadonlyMap<string, string>, ownUserId: string): void;
  /** Returns the posts with their conversation filled in if known; `roots` maps each post to its root. */
  resolve(
    posts: readonly Post[],
    roots: ReadonlyMap<string, string>,
    signal: AbortSignal,
  ): Promise<{ posts: Post[]; skipped: SkippedItem[] }>;
}

export type RootOwner = 'own' | 'other';

/** More than any window contains, and only a few hundred kilobytes. */
const REMEMBERED = 20_000;

export function createConversationRoots(
  /** Owners of unknown posts; an id missing from the result stays unknown. */
  lookUp: (rootIds: readonly string[], signal: AbortSignal) => Promise<ReadonlyMap<string, RootOwner>>,
): ConversationRoots {
  const owners = new Map<string, RootOwner>();

  function remember(id: string, owner: RootOwner): void {
    owners.set(id, owner);
    if (owners.size <= REMEMBERED) return;
    const oldest = owners.keys().next().value;
    if (oldest !== undefined) owners.delete(oldest);
  }

  return {
    noteOwn(postIds) {
      for (const id of postIds) remember(id, 'own');
    },
    noteAuthors(authors, ownUserId) {
      for (const [id, authorId] of authors) remember(id, authorId === ownUserId ? 'own' : 'other');
    },
    async resolve(posts, roots, signal) {
      const open = posts.filter((post) => post.isSelfReply && post.conversation === undefined);
      const asked = new Set(open.flatMap((post) => roots.get(post.postId) ?? []));
      const skipped = await ask(
        [...asked].filter((id) => !owners.has(id)),
        signal,
      );
      return { posts: posts.map((post) => report(post, roots)), skipped };
    },
  };

  function report(post: Post, roots: ReadonlyMap<string, string>): Post {
    if (!post.isSelfReply || post.conversation !== undefined) return post;
    const conversation = owners.get(roots.get(post.postId) ?? '');
    return conversation ? { ...post, conversation } : post;
  }

  /** If a look-up fails or times out, the root stays unknown and the count gets bounds; no posts are lost. */
  async function ask(rootIds: readonly string[], signal: AbortSignal): Promise<SkippedItem[]> {
    if (rootIds.length === 0) return [];
    try {
      for (const [id, owner] of await lookUp(rootIds, signal)) remember(id, owner);
      return [];
    } catch (error) {
      if (isStopped(signal)) throw error;
      return [{ what: `the roots of ${rootIds.length} conversations`, reason: errorMessage(error) }];
    }
  }
}
