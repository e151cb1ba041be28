// All posts of one account up to the current hour, and the queries feeds need.

import { countLeading } from '../../src/domain/binary-search.ts';
import { HOUR_MS, SECOND_MS } from '../../src/domain/units.ts';
import { hashLabel } from '../../src/runtime/random.ts';
import type { SimulatorAccountParameters } from '../account-parameters.ts';
import { chance, hashNumbers } from '../chance.ts';
import type { FaultSwitch } from '../faults/fault-switch.ts';
import { createPostProcess, type PostProcess } from './post-process.ts';
import type { SimulatorPost } from './simulator-post.ts';

export interface PostLedger {
  readonly parameters: SimulatorAccountParameters;
  readonly process: PostProcess;
  /** Draws every hour up to and including the one that contains `ts`. */
  advanceTo(ts: number): void;
  /** Posts created in [fromTs, toTs), ascending; only within hours already drawn. */
  range(fromTs: number, toTs: number): readonly SimulatorPost[];
  /** Counted posts created in [fromTs, toTs), including deleted ones. */
  countIn(fromTs: number, toTs: number): number;
  visibleTsOf(post: SimulatorPost): number;
  deletedTsOf(post: SimulatorPost): number | null;
  /** Whether the post is visible on the platform at this time. */
  isShownAt(post: SimulatorPost, ts: number): boolean;
  insert(post: SimulatorPost): void;
  /** Called when a post is inserted manually. */
  readonly insertListeners: Set<() => void>;
  readonly oldestTs: number;
}

export interface LedgerOptions {
  parameters: SimulatorAccountParameters;
  seedKey: number;
  anchorTs: number;
  faults: FaultSwitch;
}

export function createPostLedger(options: LedgerOptions): PostLedger {
  const { parameters, faults } = options;
  const key = hashNumbers(options.seedKey, hashLabel(parameters.accountId));
  const process = createPostProcess(parameters, key, options.anchorTs);
  const posts: SimulatorPost[] = [];
  const countedTs: number[] = [];
  const insertListeners = new Set<() => void>();
  let drawnToTs = options.anchorTs;

  function append(post: SimulatorPost): void {
    posts.push(post);
    if (post.isCounted) countedTs.push(post.createdTs);
  }

  function visibleTsOf(post: SimulatorPost): number {
    const share = faults.valueAt('posts-out-of-order', post.createdTs);
    const unit = share === null ? 1 : chance(key, post.createdTs, 11);
    if (share === null || unit >= share) return post.visibleTs;
    return post.visibleTs + Math.round((5 + (20 * unit) / share) * SECOND_MS);
  }

  function deletedTsOf(post: SimulatorPost): number | null {
    const share = faults.valueAt('posts-delete-fast', post.createdTs);
    const unit = share === null ? 1 : chance(key, post.createdTs, 12);
    if (share === null || unit >= share) return post.deletedTs;
    const fastTs = visibleTsOf(post) + Math.round((3 + (6.5 * unit) / share) * SECOND_MS);
    return Math.min(fastTs, post.deletedTs ?? Infinity);
  }

  return {
    parameters,
    process,
    oldestTs: options.anchorTs,
    insertListeners,
    advanceTo(ts) {
      while (drawnToTs <= ts) {
        for (const post of process.drawHour(drawnToTs)) append(post);
        drawnToTs += HOUR_MS;
      }
    },
    range: (fromTs, toTs) =>
      posts.slice(lowerBound(posts, fromTs, createdTsOf), lowerBound(posts, toTs, createdTsOf)),
    countIn: (fromTs, toTs) =>
      lowerBound(countedTs, toTs, identity) - lowerBound(countedTs, fromTs, identity),
    visibleTsOf,
    deletedTsOf,
    isShownAt(post, ts) {
      if (visibleTsOf(post) > ts) return false;
      const deletedTs = deletedTsOf(post);
      return deletedTs === null || deletedTs > ts;
    },
    insert(post) {
      for (const listener of insertListeners) queueMicrotask(listener);
      posts.splice(lowerBound(posts, post.createdTs + 1, createdTsOf), 0, post);
      if (post.isCounted)
        countedTs.splice(lowerBound(countedTs, post.createdTs + 1, identity), 0, post.createdTs);
    },
  };
}

function createdTsOf(post: SimulatorPost): number {
  return post.createdTs;
}

function identity(value: number): number {
  return value;
}

/** First index with a time at or after `ts`. */
function lowerBound<T>(items: readonly T[], ts: number, timeOf: (item: T) => number): number {
  return countLeading(items.length, (i) => timeOf(items[i]!) < ts);
}
