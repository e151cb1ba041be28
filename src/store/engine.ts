// What a query receives: a connection or transaction, and the engine behind it. Queries are the same text for both
// engines except for what `Engine` abstracts.

import type { Kysely } from 'kysely';
import type { Database, PostsTable } from './schema.ts';

export type EngineName = 'sqlite' | 'postgres';

export interface Engine {
  readonly name: EngineName;
  /** Returns the newly inserted rows. */
  insertPosts(db: Kysely<Database>, rows: readonly PostsTable[]): Promise<InsertedPost[]>;
  /** Runs inside the transaction that inserts quotes of these times. */
  makeRoomForQuotes(db: Kysely<Database>, times: readonly number[]): Promise<void>;
  /** Until the transaction ends, no other one numbers tokens. */
  holdTokenNumbers(db: Kysely<Database>): Promise<void>;
  /** Drops data that is cheaper to drop than to delete; returns how many rows were removed. */
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
  /** For an engine in this thread: one statement for many rows, without building each as text. */
  runEach?(text: string, rows: Iterable<readonly (string | number | null)[]>): void;
}
