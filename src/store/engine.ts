// Input of a query: a connection or transaction, and its engine. Queries are the same for both engines except
// where `Engine` abstracts differences.

import type { Kysely } from 'kysely';
import type { Database, PostsTable } from './schema.ts';

export type EngineName = 'sqlite' | 'postgres';

export interface Engine {
  readonly name: EngineName;
  /** Returns the newly inserted rows. */
  insertPosts(db: Kysely<Database>, rows: readonly PostsTable[]): Promise<InsertedPost[]>;
  /** Runs in the transaction that inserts quotes of these times. */
  makeRoomForQuotes(db: Kysely<Database>, times: readonly number[]): Promise<void>;
  /** Locks token numbering until the transaction ends. */
  holdTokenNumbers(db: Kysely<Database>): Promise<void>;
  /** Drops whole partitions, which is cheaper than deleting rows; returns how many rows were removed. */
  dropQuotesBefore(db: Kysely<Database>, beforeTs: number): Promise<number>;
  /** Notifies other processes, if any. */
  announceSnapshot(db: Kysely<Database>, name: string, version: number): Promise<void>;
  /** For data that may be lost in a power cut: commits without waiting for the disk. */
  commitWithoutWaiting(db: Kysely<Database>): Promise<void>;
  /** The leader's epoch, locked until the transaction ends: the next leader cannot start during a write. */
  holdEpoch(db: Kysely<Database>): Promise<number>;
}

export type InsertedPost = Pick<PostsTable, 'account_id' | 'post_id'>;

export interface Connection {
  db: Kysely<Database>;
  engine: Engine;
  /** For an engine in this thread: one prepared statement for many rows. */
  runEach?(text: string, rows: Iterable<readonly (string | number | null)[]>): void;
}
