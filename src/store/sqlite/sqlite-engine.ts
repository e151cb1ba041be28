// SQLite specifics: nothing to prepare, no listeners, one writer thread.

import type { Kysely } from 'kysely';
import type { Engine } from '../engine.ts';
import { readEpoch } from '../leader-epoch.ts';
import type { Database } from '../schema.ts';

export const sqliteEngine: Engine = {
  name: 'sqlite',

  insertPosts: (db, rows) =>
    db
      .insertInto('posts')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .returning(['account_id', 'post_id'])
      .execute(),

  makeRoomForQuotes: async () => {},
  holdTokenNumbers: async () => {},
  dropQuotesBefore: async () => 0,
  announceSnapshot: async () => {},
  commitWithoutWaiting: async () => {},

  holdEpoch: readEpoch,
};

/** Starts a new epoch and returns it. */
export async function raiseEpoch(db: Kysely<Database>): Promise<number> {
  const { epoch } = await db
    .updateTable('leadership')
    .set((eb) => ({ epoch: eb('epoch', '+', 1) }))
    .returning('epoch')
    .executeTakeFirstOrThrow();
  return epoch;
}
