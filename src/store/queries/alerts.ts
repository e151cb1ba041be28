// A key's alerts, whether sent or only listed.

import type { AccountId } from '../../domain/account.ts';
import type { Connection } from '../engine.ts';
import { ALERTS, type Alert, type WebhookDelivery } from '../tables-alerts.ts';
import { insertNew } from './many-rows.ts';
import { enqueueDeliveries } from './webhooks.ts';

export interface AlertPage {
  after: { createdTs: number; alertId: string } | null;
  limit: number;
}

export function createAlertQueries(connection: Connection) {
  const { db } = connection;

  async function countKind({ keyId, kind }: Alert, sinceTs: number): Promise<number> {
    // A no-op update locks the key until the transaction ends, so concurrent inserts for the key wait.
    await db.updateTable('api_keys').set({ key_id: keyId }).where('key_id', '=', keyId).execute();
    const { count } = await db
      .selectFrom('notices')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('key_id', '=', keyId)
      .where('created_ts', '>', sinceTs)
      .where('kind', '=', kind)
      .executeTakeFirstOrThrow();
    return count;
  }

  return {
    /**
     * Inserts an alert with its deliveries in one transaction. Returns false and changes nothing if the key
     * already has `most.count` alerts of this kind since `most.sinceTs`.
     */
    async add(
      alert: Alert,
      deliveries: readonly WebhookDelivery[],
      most?: { count: number; sinceTs: number },
    ) {
      if (most && (await countKind(alert, most.sinceTs)) >= most.count) return false;
      await insertAlerts(connection, [alert]);
      await enqueueDeliveries(connection, deliveries);
      return true;
    },

    /** Newest first. */
    async listPage(keyId: string, { after, limit }: AlertPage) {
      let page = db.selectFrom('notices').selectAll().where('key_id', '=', keyId);
      if (after) {
        const { createdTs, alertId } = after;
        page = page.where((eb) =>
          eb.or([
            eb('created_ts', '<', createdTs),
            eb.and([eb('created_ts', '=', createdTs), eb('notice_id', '<', alertId)]),
          ]),
        );
      }
      const rows = await page
        .orderBy('created_ts', 'desc')
        .orderBy('notice_id', 'desc')
        .limit(limit)
        .execute();
      return rows.map(ALERTS.fromRow);
    },

    /** Rules with alerts due after `afterTs`, for their hourly limit. */
    async listDue(afterTs: number) {
      const rows = await db
        .selectFrom('notices')
        .select(['rule_ids', 'due_ts'])
        .where('due_ts', '>', afterTs)
        .execute();
      return rows.map((row) => ({ ruleIds: JSON.parse(row.rule_ids) as string[], dueTs: row.due_ts! }));
    },

    async prune(beforeTs: number) {
      const deleted = await db.deleteFrom('notices').where('created_ts', '<', beforeTs).executeTakeFirst();
      return Number(deleted.numDeletedRows);
    },
  };
}

/** Existing alerts stay unchanged. */
export function insertAlerts(connection: Connection, alerts: readonly Alert[]): Promise<void> {
  return insertNew(connection, 'notices', ALERTS.sqlTypes, alerts.map(ALERTS.toRow));
}

/** State at the last rule evaluation, updated in one transaction with the resulting deliveries. */
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
