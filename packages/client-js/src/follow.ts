// Reports each of an account's changes once, across broken connections and service restarts.

import { createChangeTracker } from './change-tracker.ts';
import type { PostRecord } from './generated/schema.ts';
import type { SnapshotMessage, StreamEvent } from './messages.ts';

/** Missed posts that can no longer be listed, because they are older than the caller's tier may see. */
export interface GapMessage {
  /** Range of their creation times, UTC milliseconds. */
  after_ts: number;
  before_ts: number;
}

export type Change = StreamEvent | { id: string; event: 'gap'; data: GapMessage };

export interface FollowSources {
  messages: AsyncIterable<StreamEvent>;
  /** Lists posts, newest first, as far back as the caller's tier may see. */
  listPosts(): AsyncIterable<PostRecord>;
}

export async function* followChanges({
  messages,
  listPosts,
}: FollowSources): AsyncGenerator<Change, void, void> {
  const tracker = createChangeTracker();
  let newestTs = 0;
  for await (const message of messages) {
    if (message.event === 'snapshot' && tracker.hasGap(message.data)) {
      const missed = await readMissed(listPosts(), tracker.isKnown);
      if (!missed.reachesBack)
        yield gapBefore(message.id, newestTs, [...message.data.posts, ...missed.posts]);
      yield* tracker.takePosts(message.id, missed.posts);
    }
    for (const change of tracker.take(message)) {
      newestTs = Math.max(newestTs, newestOf(change));
      yield change;
    }
  }
}

async function readMissed(
  listed: AsyncIterable<PostRecord>,
  isKnown: (post: PostRecord) => boolean,
): Promise<{ posts: PostRecord[]; reachesBack: boolean }> {
  const posts: PostRecord[] = [];
  for await (const post of listed) {
    if (isKnown(post)) return { posts, reachesBack: true };
    posts.push(post);
  }
  return { posts, reachesBack: false };
}

function gapBefore(id: string, after_ts: number, posts: readonly PostRecord[]): Change {
  const before_ts = Math.min(...posts.map(({ created_ts }) => created_ts));
  return { id, event: 'gap', data: { after_ts, before_ts } };
}

function newestOf({ event, data }: StreamEvent): number {
  if (event === 'post') return data.created_ts;
  return event === 'snapshot' ? newestListed(data) : 0;
}

function newestListed({ posts }: SnapshotMessage): number {
  return posts[0]?.created_ts ?? 0;
}
