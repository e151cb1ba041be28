// History of our own count for an event. A post counts from when we first saw it; if the contract's rule
// excludes deleted posts, only until we saw its deletion.

import { countsFor } from './contract-count.ts';
import type { MarketEvent } from './market-event.ts';
import { isInside } from './market-event.ts';
import type { CapturedPost } from './post.ts';

export interface OwnCount {
  ts: number;
  count: number;
}

/** In chronological order; simultaneous changes are merged into one entry. */
export function listOwnCounts(event: MarketEvent, posts: readonly CapturedPost[]): OwnCount[] {
  const steps = posts
    .filter((post) => isInside(event.window, post.createdTs))
    .flatMap((post) => stepsOf(event, post))
    .sort((left, right) => left.ts - right.ts);
  const course = new Map<number, number>();
  let count = 0;
  for (const { ts, change } of steps) course.set(ts, (count += change));
  return [...course].map(([ts, standing]) => ({ ts, count: standing }));
}

function stepsOf(event: MarketEvent, post: CapturedPost): { ts: number; change: number }[] {
  if (!countsFor(event, { ...post, deletedTs: null })) return [];
  const seen = { ts: post.firstSeenTs, change: 1 };
  const isLost = post.deletedTs !== null && !countsFor(event, post);
  return isLost ? [seen, { ts: Math.max(post.deletedTs!, post.firstSeenTs), change: -1 }] : [seen];
}
