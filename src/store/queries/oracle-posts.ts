// Posts as the oracle lists them; only the first listing of each post is stored.

import type { AccountId } from '../../domain/account.ts';
import type { OracleListing } from '../../domain/explain-settlement.ts';
import type { Connection } from '../engine.ts';
import { insertNew } from './many-rows.ts';

const COLUMNS = {
  account_id: 'text',
  post_id: 'text',
  created_ts: 'bigint',
  imported_ts: 'bigint',
  listed_ts: 'bigint',
} as const;

export function createOraclePostQueries(connection: Connection) {
  const { db } = connection;
  return {
    /** Posts already recorded stay unchanged. */
    async record(accountId: AccountId, listings: readonly OracleListing[]) {
      const rows = listings.map(({ postId, createdTs, importedTs, listedTs }) => ({
        account_id: accountId,
        post_id: postId,
        created_ts: createdTs,
        imported_ts: importedTs,
        listed_ts: listedTs,
      }));
      await insertNew(connection, 'oracle_posts', COLUMNS, rows);
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
      return rows.map((row) => ({
        postId: row.post_id,
        createdTs: row.created_ts,
        importedTs: row.imported_ts,
        listedTs: row.listed_ts,
      }));
    },
  };
}
