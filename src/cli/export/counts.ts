// Each event's three counts at every change: ours (by first-seen time), the oracle's and the market page's.

import { countsFor } from '../../domain/contract.ts';
import { isInside, type MarketEvent } from '../../domain/market-event.ts';
import type { CapturedPost } from '../../domain/post.ts';
import { type Dataset, type ExportScope, listScopeEvents } from './dataset.ts';
import { readPosts } from './posts.ts';

const FEEDS = ['oracle', 'ui'] as const;

interface CountChange {
  ts: number;
  count: number;
}

export const countsDataset: Dataset = {
  columns: {
    account_id: 'text',
    event_id: 'integer',
    source: 'text',
    observed_ts: 'time',
    count: 'integer',
  },
  async *listRows(scope) {
    for await (const event of listScopeEvents(scope)) {
      const row = (source: string, { ts, count }: CountChange) =>
        [event.accountId, event.eventId, source, ts, count] as const;
      const own = listOwnCounts(event, await collectPosts({ ...scope, event }));
      yield own.filter(isInRange(scope)).map((change) => row('own', change));
      for (const feed of FEEDS) {
        const observations = await scope.store.counts.history(event.eventId, feed);
        const changes = observations.map(({ observedTs, count }) => ({ ts: observedTs, count }));
        yield changes.filter(isInRange(scope)).map((change) => row(feed, change));
      }
    }
  },
};

function isInRange({ fromTs, untilTs }: ExportScope): (change: CountChange) => boolean {
  return ({ ts }) => ts >= fromTs && ts < untilTs;
}

/** Reads all posts in the window: --from and --to select count changes, not the posts that are counted. */
async function collectPosts(scope: ExportScope): Promise<CapturedPost[]> {
  const posts: CapturedPost[] = [];
  const whole = { ...scope, fromTs: 0, untilTs: Number.MAX_SAFE_INTEGER };
  for await (const page of readPosts(whole, scope.event!.accountId)) posts.push(...page);
  return posts;
}

// History of our own count for an event. A post counts from when we first saw it; if the contract's rule
// excludes deleted posts, only until we saw its deletion.

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
