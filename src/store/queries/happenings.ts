// Published advice, price jumps and counts that disagreed; one row each, updated when it ends.

import type { AccountId } from '../../domain/account.ts';
import type { Happening } from '../../domain/happening.ts';
import type { Connection } from '../engine.ts';
import type { RowOf } from '../record-table.ts';
import { HAPPENINGS } from '../tables-results.ts';
import { batchesOf } from './many-rows.ts';

const COLUMN_COUNT = Object.keys(HAPPENINGS.columns).length;

export function createHappeningQueries({ db }: Connection) {
  return {
    /** Writing a happening again replaces its end and its content. */
    async put(happenings: readonly Happening[]) {
      for (const batch of batchesOf(happenings, COLUMN_COUNT)) {
        await db
          .insertInto('happenings')
          .values(batch.map(toRow))
          .onConflict((conflict) =>
            conflict.columns(['event_id', 'kind', 'bucket_label', 'from_ts']).doUpdateSet((eb) => ({
              ended_ts: eb.ref('excluded.ended_ts'),
              changed_ts: eb.ref('excluded.changed_ts'),
              content: eb.ref('excluded.content'),
            })),
          )
          .execute();
      }
    },

    async listLasting(accountId: AccountId) {
      const rows = await db
        .selectFrom('happenings')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('ended_ts', 'is', null)
        .orderBy('from_ts')
        .execute();
      return rows.map(fromRow);
    },

    /** Started or ended after this time, latest change first. */
    async listChanged(accountId: AccountId, afterTs: number, limit: number) {
      const rows = await db
        .selectFrom('happenings')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('changed_ts', '>', afterTs)
        .orderBy('changed_ts', 'desc')
        .orderBy('event_id')
        .orderBy('bucket_label')
        .limit(limit)
        .execute();
      return rows.map(fromRow);
    },

    /** Latest start first. */
    async listAdvice({
      accountId,
      eventId,
      limit,
    }: {
      accountId: AccountId;
      eventId?: number;
      limit: number;
    }) {
      let query = db
        .selectFrom('happenings')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('kind', '=', 'advice');
      if (eventId !== undefined) query = query.where('event_id', '=', eventId);
      const rows = await query.orderBy('from_ts', 'desc').orderBy('bucket_label').limit(limit).execute();
      return rows.map(fromRow);
    },

    /** Advice is kept. */
    async prune(beforeTs: number) {
      const { numDeletedRows } = await db
        .deleteFrom('happenings')
        .where('kind', '!=', 'advice')
        .where('changed_ts', '<', beforeTs)
        .executeTakeFirstOrThrow();
      return Number(numDeletedRows);
    },
  };
}

function toRow(happening: Happening): RowOf<typeof HAPPENINGS.columns> {
  return HAPPENINGS.toRow({ ...happening, changedTs: happening.endedTs ?? happening.fromTs });
}

/** Kind and content are written together, so they match. */
function fromRow(row: RowOf<typeof HAPPENINGS.columns>): Happening {
  const { changedTs: _, ...happening } = HAPPENINGS.fromRow(row);
  return happening as Happening;
}
