// What a query is given: a connection (or a transaction on one), and which engine speaks at its other end.

import type { Kysely } from 'kysely';
import type { Database } from './schema.ts';

export type EngineName = 'sqlite' | 'postgres';

export interface Connection {
  db: Kysely<Database>;
  engine: EngineName;
}
