// What a query is given: a connection (or a transaction on one), and which engine speaks at its other end.

import type { Kysely } from 'kysely';
import type { Database } from './schema.ts';

export type EngineName = 'sqlite' | 'postgres';

export interface Connection {
  db: Kysely<Database>;
  engine: EngineName;
  /** Where the engine runs in this very thread: one statement for many rows, without building each in words. */
  runEach?(text: string, rows: Iterable<readonly (string | number | null)[]>): void;
}
