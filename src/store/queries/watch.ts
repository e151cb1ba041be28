// State at the last rule evaluation, updated in one transaction with the resulting deliveries.

import type { Connection } from '../engine.ts';
import type { WatchStore } from '../ports-alerts.ts';
import { insertAlerts } from './alerts.ts';
import { enqueueDeliveries } from './webhooks.ts';

export function createWatchQueries(connection: Connection): WatchStore {
  const { db } = connection;
  return {
    async findMark(accountId) {
      const row = await db
        .selectFrom('watch_marks')
        .select('mark')
        .where('account_id', '=', accountId)
        .executeTakeFirst();
      return row?.mark;
    },

    async advance(accountId, mark, alerts, deliveries) {
      await insertAlerts(connection, alerts);
      await enqueueDeliveries(connection, deliveries);
      await db
        .insertInto('watch_marks')
        .values({ account_id: accountId, mark })
        .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ mark }))
        .execute();
    },
  };
}
