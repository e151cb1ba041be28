// The key this instance signs with, and where its data comes from: one row each, written once, shared by all
// replicas and included in backups.

import type { KeyPair } from '../../runtime/signing.ts';
import type { Connection } from '../engine.ts';

const ROW_ID = 1;

export function createInstanceKeyQueries({ db }: Connection) {
  async function find() {
    const row = await db
      .selectFrom('instance_keys')
      .select(['public_key', 'private_key'])
      .where('id', '=', ROW_ID)
      .executeTakeFirst();
    return row && { publicKey: row.public_key, privateKey: row.private_key };
  }

  return {
    find,
    /** Stores the candidate unless the instance already has a key; returns the instance's key. */
    async claim({ publicKey, privateKey }: KeyPair, createdTs: number) {
      await db
        .insertInto('instance_keys')
        .values({ id: ROW_ID, public_key: publicKey, private_key: privateKey, created_ts: createdTs })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      return (await find())!;
    },
  };
}

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
