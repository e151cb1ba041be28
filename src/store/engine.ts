// What a query receives: a connection or transaction, and the engine behind it. Queries are the same text for both
// engines except for what `Engine` abstracts.

import type { Kysely } from 'kysely';
import type { Database, PostsTable } from './schema.ts';

export type EngineName = 'sqlite' | 'postgres';

export interface Engine {
  readonly name: EngineName;
  /** Returns those that were not there yet. */
  insertPosts(db: Kysely<Database>, rows: readonly PostsTable[]): Promise<InsertedPost[]>;
  /** Run inside the transaction that inserts quotes of these times. */
  makeRoomForQuotes(db: Kysely<Database>, times: readonly number[]): Promise<void>;
  /** Drops what is quicker dropped than deleted; returns how many rows went. */
  dropQuotesBefore(db: Kysely<Database>, beforeTs: number): Promise<number>;
  /** Notifies other processes, if any. */
  announceSnapshot(db: Kysely<Database>, name: string, version: number): Promise<void>;
  /** For what a power cut may forget: this transaction is over without waiting for the disk. */
  commitWithoutWaiting(db: Kysely<Database>): Promise<void>;
  /** The leader's epoch, held until the transaction ends: the next leader cannot begin while a write is being made. */
  holdEpoch(db: Kysely<Database>): Promise<number>;
}

export type InsertedPost = Pick<PostsTable, 'account_id' | 'post_id'>;

export interface Connection {
  db: Kysely<Database>;
  engine: Engine;
  /** Where the engine runs in this very thread: one statement for many rows, without building each in words. */
  runEach?(text: string, rows: Iterable<readonly (string | number | null)[]>): void;
}
