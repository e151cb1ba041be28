// State at the last rule evaluation, updated in one transaction with the resulting deliveries.

import type { AccountId } from '../../domain/account.ts';
import type { Connection } from '../engine.ts';
import type { Alert, WebhookDelivery } from '../tables-alerts.ts';
import { insertAlerts } from './alerts.ts';
import { enqueueDeliveries } from './webhooks.ts';

export function createWatchQueries(connection: Connection) {
  const { db } = connection;
  return {
    async findMark(accountId: AccountId) {
      const row = await db
        .selectFrom('watch_marks')
        .select('mark')
        .where('account_id', '=', accountId)
        .executeTakeFirst();
      return row?.mark;
    },

    /**
     * In one transaction: stores the alerts since the last mark with their deliveries, and moves the mark. A
     * crash before the commit is retried; after it, delivery is guaranteed. Existing rows stay unchanged.
     */
    async advance(
      accountId: AccountId,
      mark: string,
      alerts: readonly Alert[],
      deliveries: readonly WebhookDelivery[],
    ) {
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
