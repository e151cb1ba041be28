// Divides accounts among ingest processes. An account's shard follows from its id alone, so that every process
// divides alike; which process leads a shard changes as processes come and go.

import type { AccountId } from './account.ts';

/** In the place of a shard: what is not divided, or everything where one process does it all. */
export const UNDIVIDED = 0;

/** More shards than a deployment has ingest processes; changing it needs a stop of all of them. */
export const SHARDS = 16;

/** From 1 to SHARDS; an FNV-1a hash spreads similar ids. */
export function shardOf(accountId: AccountId): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(accountId)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  // The low bits of this hash hardly mix for short ids.
  return 1 + (((hash ^ (hash >>> 16)) >>> 0) % SHARDS);
}

/** Shards that have accounts, ascending. */
export function listShards(accounts: readonly { accountId: AccountId }[]): number[] {
  return [...new Set(accounts.map(({ accountId }) => shardOf(accountId)))].sort((a, b) => a - b);
}

export interface ShareView {
  /** All shards that have accounts. */
  shards: readonly number[];
  /** Shards of this process, in the order in which it took them. */
  held: readonly number[];
  /** Shards of any process. */
  taken: ReadonlySet<number>;
  /** Living ingest processes, with this one. */
  processes: number;
}

/** A few per look, so that processes that start together share from the beginning; a larger one can take more. */
const FIRST_AT_ONCE = 4;
/** A shard has no leader until the other process has rebuilt its state, which takes longer for several at once. */
const GIVEN_AT_ONCE = 1;

/** What to take and what to give back so that every process has at most its share. */
export function planShare({ shards, held, taken, processes }: ShareView): {
  take: number[];
  giveBack: number[];
} {
  const share = Math.ceil(shards.length / Math.max(1, processes));
  const free = shards.filter((shard) => !taken.has(shard));
  const missing = Math.max(0, Math.min(share - held.length, Math.max(FIRST_AT_ONCE, held.length)));
  const beyond = free.length === 0 ? held.slice(share, share + GIVEN_AT_ONCE) : [];
  return { take: free.slice(0, missing), giveBack: beyond };
}
