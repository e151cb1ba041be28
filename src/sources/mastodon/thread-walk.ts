// Finds who started a thread by walking from reply to parent: these servers never return the root.

import type { Post } from '../../domain/post.ts';
import { errorMessage } from '../../runtime/errors.ts';
import type { RootOwner } from '../conversation-roots.ts';
import type { HttpTransport } from '../http-transport.ts';
import { isStopped } from '../retry.ts';
import type { SkippedItem } from '../source.ts';
import { asRecord, readName } from '../wire-reader.ts';
import { isGone } from './wire.ts';

export interface ThreadWalk {
  resolve(
    posts: readonly Post[],
    parents: ReadonlyMap<string, string>,
    signal: AbortSignal,
  ): Promise<{ posts: Post[]; skipped: SkippedItem[] }>;
}

const REMEMBERED = 20_000;
/** Longer threads of unknown posts are not followed to the end. */
const MAX_STEPS = 10;

export function createThreadWalk(
  http: HttpTransport,
  /** The account's numeric id, which the configuration may omit. */
  findUserId: (signal: AbortSignal) => Promise<string>,
): ThreadWalk {
  /** null means the thread was walked but its owner is unknown. */
  const owners = new Map<string, RootOwner | null>();

  function remember(id: string, owner: RootOwner | null): void {
    owners.set(id, owner);
    if (owners.size <= REMEMBERED) return;
    const oldest = owners.keys().next().value;
    if (oldest !== undefined) owners.delete(oldest);
  }

  /** Owner of the thread that the status belongs to; null if unknown. */
  async function walk(id: string, steps: number, signal: AbortSignal): Promise<RootOwner | null> {
    const known = owners.get(id);
    if (known !== undefined) return known;
    if (steps >= MAX_STEPS) return null;
    const owner = await ask(id, steps, signal);
    remember(id, owner);
    return owner;
  }

  async function ask(id: string, steps: number, signal: AbortSignal): Promise<RootOwner | null> {
    const status = await fetchStatus(id, signal);
    const authorId = status && readName(asRecord(status.account) ?? {}, 'id');
    if (!status || !authorId) return null;
    const parentId = readName(status, 'in_reply_to_id');
    if (parentId) return walk(parentId, steps + 1, signal);
    return authorId === (await findUserId(signal)) ? 'own' : 'other';
  }

  async function fetchStatus(id: string, signal: AbortSignal) {
    try {
      return asRecord(await http.getJson(`/api/v1/statuses/${encodeURIComponent(id)}`, {}, signal));
    } catch (error) {
      if (isGone(error)) return null;
      throw error;
    }
  }

  return {
    async resolve(posts, parents, signal) {
      const skipped: SkippedItem[] = [];
      const reported: Post[] = [];
      for (const post of posts) if (!post.isReply) remember(post.postId, 'own');
      // Oldest first, so that a thread in one page is resolved from its start.
      for (const post of posts) {
        const parentId = post.isSelfReply ? parents.get(post.postId) : undefined;
        if (parentId === undefined) {
          reported.push(post);
          continue;
        }
        try {
          const owner = await walk(parentId, 0, signal);
          remember(post.postId, owner);
          reported.push(owner === null ? post : { ...post, conversation: owner });
        } catch (error) {
          if (isStopped(signal)) throw error;
          skipped.push({ what: `the thread of status ${post.postId}`, reason: errorMessage(error) });
          reported.push(post);
        }
      }
      return { posts: reported, skipped };
    },
  };
}
