// A connection or transaction that queries run on, and its engine. Queries are the same for both engines;
// `Engine` covers the differences.

import type { Kysely } from 'kysely';
import type { Database, PostsTable } from './schema.ts';

export type EngineName = 'sqlite' | 'postgres';

export interface Engine {
  readonly name: EngineName;
  /** Returns the newly inserted rows. */
  insertPosts(db: Kysely<Database>, rows: readonly PostsTable[]): Promise<InsertedPost[]>;
  /** Prepares storage, in the same transaction, for quotes with these times. */
  makeRoomForQuotes(db: Kysely<Database>, times: readonly number[]): Promise<void>;
  /** Locks token numbering until the transaction ends. */
  holdTokenNumbers(db: Kysely<Database>): Promise<void>;
  /** Drops whole partitions, which is cheaper than deleting rows; returns the number of removed rows. */
  dropQuotesBefore(db: Kysely<Database>, beforeTs: number): Promise<number>;
  /** Notifies other processes of new versions, if there are any. */
  announceSnapshots(db: Kysely<Database>, versions: readonly SnapshotVersion[]): Promise<void>;
  /** Commits without waiting for the disk, for data that may be lost in a power cut. */
  commitWithoutWaiting(db: Kysely<Database>): Promise<void>;
  /** Reads the leader's epoch and locks it until the transaction ends, so that no new leader can start. */
  holdEpoch(db: Kysely<Database>): Promise<number>;
}

export interface SnapshotVersion {
  name: string;
  version: number;
}

export type InsertedPost = Pick<PostsTable, 'account_id' | 'post_id'>;

export interface Connection {
  db: Kysely<Database>;
  engine: Engine;
  /** Runs one prepared statement for many rows; only for an engine in this thread. */
  runEach?(text: string, rows: Iterable<readonly (string | number | Uint8Array | null)[]>): void;
}
