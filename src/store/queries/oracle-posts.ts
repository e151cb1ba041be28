// Posts as the oracle lists them; only the first listing of each post is stored.

import type { AccountId } from '../../domain/account.ts';
import type { OracleListing } from '../../domain/explain-settlement.ts';
import type { Connection } from '../engine.ts';
import { ORACLE_POSTS } from '../tables-results.ts';
import { insertNew } from './many-rows.ts';

export function createOraclePostQueries(connection: Connection) {
  const { db } = connection;
  return {
    /** Posts already recorded stay unchanged. */
    async record(accountId: AccountId, listings: readonly OracleListing[]) {
      const rows = listings.map((listing) => ORACLE_POSTS.toRow({ accountId, ...listing }));
      await insertNew(connection, 'oracle_posts', ORACLE_POSTS.sqlTypes, rows);
    },

    /** Posts created in [fromTs, untilTs), earliest first. */
    async list(accountId: AccountId, fromTs: number, untilTs: number) {
      const rows = await db
        .selectFrom('oracle_posts')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('created_ts', '>=', fromTs)
        .where('created_ts', '<', untilTs)
        .orderBy('created_ts')
        .orderBy('post_id')
        .execute();
      return rows.map((row) => {
        const { accountId: _, ...listing } = ORACLE_POSTS.fromRow(row);
        return listing;
      });
    },
  };
}
