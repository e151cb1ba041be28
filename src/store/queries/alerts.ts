// A key's alerts, whether sent or only listed.

import type { Connection } from '../engine.ts';
import type { Alert, AlertStore } from '../ports-alerts.ts';
import type { AlertsTable } from '../schema.ts';
import { type Columns, insertNew } from './many-rows.ts';
import { enqueueDeliveries } from './webhooks.ts';

const COLUMNS: Columns<AlertsTable> = {
  notice_id: 'text',
  key_id: 'text',
  kind: 'text',
  what: 'text',
  account_id: 'text',
  event_id: 'bigint',
  title: 'text',
  body: 'text',
  link: 'text',
  data: 'text',
  rule_ids: 'text',
  happened_ts: 'bigint',
  created_ts: 'bigint',
  due_ts: 'bigint',
};

export function createAlertQueries(connection: Connection): AlertStore {
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
    async add(alert, deliveries, most) {
      if (most && (await countKind(alert, most.sinceTs)) >= most.count) return false;
      await insertAlerts(connection, [alert]);
      await enqueueDeliveries(connection, deliveries);
      return true;
    },

    async listPage(keyId, { after, limit }) {
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
      return rows.map(fromRow);
    },

    async listDue(afterTs) {
      const rows = await db
        .selectFrom('notices')
        .select(['rule_ids', 'due_ts'])
        .where('due_ts', '>', afterTs)
        .execute();
      return rows.map((row) => ({ ruleIds: JSON.parse(row.rule_ids) as string[], dueTs: row.due_ts! }));
    },

    async prune(beforeTs) {
      const deleted = await db.deleteFrom('notices').where('created_ts', '<', beforeTs).executeTakeFirst();
      return Number(deleted.numDeletedRows);
    },
  };
}

/** Existing alerts stay unchanged. */
export function insertAlerts(connection: Connection, alerts: readonly Alert[]): Promise<void> {
  return insertNew(connection, 'notices', COLUMNS, alerts.map(toRow));
}

function toRow(alert: Alert): AlertsTable {
  return {
    notice_id: alert.alertId,
    key_id: alert.keyId,
    kind: alert.kind,
    what: alert.what,
    account_id: alert.accountId,
    event_id: alert.eventId,
    title: alert.title,
    body: alert.text,
    link: alert.link,
    data: JSON.stringify(alert.data),
    rule_ids: JSON.stringify(alert.ruleIds),
    happened_ts: alert.happenedTs,
    created_ts: alert.createdTs,
    due_ts: alert.dueTs,
  };
}

function fromRow(row: AlertsTable): Alert {
  return {
    alertId: row.notice_id,
    keyId: row.key_id,
    kind: row.kind,
    what: row.what,
    accountId: row.account_id,
    eventId: row.event_id,
    title: row.title,
    text: row.body,
    link: row.link,
    data: JSON.parse(row.data) as Record<string, unknown>,
    ruleIds: JSON.parse(row.rule_ids) as string[],
    happenedTs: row.happened_ts,
    createdTs: row.created_ts,
    dueTs: row.due_ts,
  };
}
