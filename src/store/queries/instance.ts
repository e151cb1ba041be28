// Where the store's data comes from: one row, written once, shared by all replicas and included in backups.

import type { Connection } from '../engine.ts';

const ROW_ID = 1;

export type StoreOrigin = 'simulator' | 'live';

export function createOriginQueries({ db }: Connection) {
  async function find(): Promise<StoreOrigin | undefined> {
    const row = await db
      .selectFrom('store_origin')
      .select('origin')
      .where('id', '=', ROW_ID)
      .executeTakeFirst();
    return row?.origin as StoreOrigin | undefined;
  }

  return {
    find,
    /** Returns the store's origin, which is the first one claimed. */
    async claim(origin: StoreOrigin) {
      await db
        .insertInto('store_origin')
        .values({ id: ROW_ID, origin })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      return (await find())!;
    },
  };
}
