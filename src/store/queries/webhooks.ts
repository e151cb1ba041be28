// Webhook endpoints and their pending deliveries.

import type { Connection } from '../engine.ts';
import { createRecordTable, type RowOf } from '../record-table.ts';
import { DELIVERIES, RECEIVERS, type WebhookDelivery, type WebhookEndpoint } from '../tables-alerts.ts';
import { insertNew, updateEach } from './many-rows.ts';
import { forgetChannel, raiseRulesRevision } from './rules.ts';

const { deliveryId, attempts, nextAttemptTs, status, lastResponse, updatedTs } = DELIVERIES.columns;

/** What an attempt changes. */
const OUTCOMES = createRecordTable({ deliveryId, attempts, nextAttemptTs, status, lastResponse, updatedTs });

export function createWebhookQueries(connection: Connection) {
  return { ...createEndpointQueries(connection), ...createDeliveryQueries(connection) };
}

function createEndpointQueries(connection: Connection) {
  const { db } = connection;

  async function countOfKey(keyId: string): Promise<number> {
    const { count } = await db
      .selectFrom('webhooks')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('key_id', '=', keyId)
      .executeTakeFirstOrThrow();
    return count;
  }

  return {
    /** Returns false and changes nothing if the key already has `mostOfKey` receivers; safe when concurrent. */
    async insert(endpoint: WebhookEndpoint, mostOfKey?: number) {
      const { keyId } = endpoint;
      // A no-op update locks the key until the transaction ends, so concurrent inserts for the key wait.
      await db.updateTable('api_keys').set({ key_id: keyId }).where('key_id', '=', keyId).execute();
      if (mostOfKey !== undefined && (await countOfKey(keyId)) >= mostOfKey) return false;
      await db.insertInto('webhooks').values(toRow(endpoint)).execute();
      return true;
    },

    async remove(keyId: string, webhookId: string) {
      const removed = await db
        .deleteFrom('webhooks')
        .where('key_id', '=', keyId)
        .where('webhook_id', '=', webhookId)
        .executeTakeFirst();
      if (removed.numDeletedRows === 0n) return false;
      await db.deleteFrom('webhook_deliveries').where('webhook_id', '=', webhookId).execute();
      await forgetChannel(connection, keyId, webhookId);
      return true;
    },

    async listForKey(keyId: string) {
      const rows = await db
        .selectFrom('webhooks')
        .selectAll()
        .where('key_id', '=', keyId)
        .orderBy('created_ts')
        .orderBy('webhook_id')
        .execute();
      return rows.map(fromRow);
    },

    /** Enabled webhooks of active keys: the given ones, or all. */
    async listStanding(nowTs: number, webhookIds?: readonly string[]) {
      if (webhookIds?.length === 0) return [];
      const rows = await db
        .selectFrom('webhooks')
        .$if(webhookIds !== undefined, (query) => query.where('webhook_id', 'in', webhookIds!))
        .innerJoin('api_keys', 'api_keys.key_id', 'webhooks.key_id')
        .selectAll('webhooks')
        .where('webhooks.disabled_ts', 'is', null)
        .where('api_keys.revoked_ts', 'is', null)
        .where((eb) => eb.or([eb('api_keys.expires_ts', 'is', null), eb('api_keys.expires_ts', '>', nowTs)]))
        .orderBy('webhooks.created_ts')
        .orderBy('webhook_id')
        .execute();
      return rows.map(fromRow);
    },

    /** Links the receiver waiting for this code to this URL; undefined if no receiver has the code. */
    async completeLink(code: string, url: string, nowTs: number) {
      const row = await db
        .updateTable('webhooks')
        .set({ url, link_code: null, link_expires_ts: null })
        .where('link_code', '=', code)
        .where('link_expires_ts', '>', nowTs)
        .where('disabled_ts', 'is', null)
        .returningAll()
        .executeTakeFirst();
      return row && fromRow(row);
    },

    /** Stops all deliveries to the webhook; pending ones fail with this reason. */
    async disable(webhookId: string, disabledTs: number, reason: string) {
      await db
        .updateTable('webhooks')
        .set({ disabled_ts: disabledTs })
        .where('webhook_id', '=', webhookId)
        .execute();
      await db
        .updateTable('webhook_deliveries')
        .set({ status: 'failed', next_attempt_ts: null, last_response: reason, updated_ts: disabledTs })
        .where('webhook_id', '=', webhookId)
        .where('status', '=', 'pending')
        .execute();
      await raiseRulesRevision(connection);
    },
  };
}

function createDeliveryQueries(connection: Connection) {
  const { db } = connection;
  const selectDeliveries = () => db.selectFrom('webhook_deliveries').selectAll();

  return {
    enqueue: (deliveries: readonly WebhookDelivery[]) => enqueueDeliveries(connection, deliveries),

    /** Atomically records the results of attempts, or schedules the next attempts. */
    note: (deliveries: readonly WebhookDelivery[]) =>
      updateEach(connection, 'webhook_deliveries', OUTCOMES.sqlTypes, deliveries.map(OUTCOMES.toRow)),

    /** Oldest first; deliveries of the given webhooks can be excluded. */
    async listDue(nowTs: number, limit: number, exceptWebhookIds: readonly string[] = []) {
      let due = selectDeliveries().where('status', '=', 'pending').where('next_attempt_ts', '<=', nowTs);
      if (exceptWebhookIds.length > 0) due = due.where('webhook_id', 'not in', exceptWebhookIds);
      const rows = await due.orderBy('next_attempt_ts').orderBy('delivery_id').limit(limit).execute();
      return rows.map(DELIVERIES.fromRow);
    },

    async listDeliveries(webhookId: string, limit: number) {
      const rows = await selectDeliveries()
        .where('webhook_id', '=', webhookId)
        .orderBy('created_ts', 'desc')
        .orderBy('delivery_id', 'desc')
        .limit(limit)
        .execute();
      return rows.map(DELIVERIES.fromRow);
    },

    async findDelivery(deliveryId: string) {
      const row = await selectDeliveries().where('delivery_id', '=', deliveryId).executeTakeFirst();
      return row && DELIVERIES.fromRow(row);
    },

    /** Never deletes pending deliveries. */
    async prune(beforeTs: number) {
      const deleted = await db
        .deleteFrom('webhook_deliveries')
        .where('updated_ts', '<', beforeTs)
        .where('status', '!=', 'pending')
        .executeTakeFirst();
      return Number(deleted.numDeletedRows);
    },
  };
}

/** Existing deliveries stay unchanged. */
export function enqueueDeliveries(
  connection: Connection,
  deliveries: readonly WebhookDelivery[],
): Promise<void> {
  return insertNew(connection, 'webhook_deliveries', DELIVERIES.sqlTypes, deliveries.map(DELIVERIES.toRow));
}

function toRow({ link, ...endpoint }: WebhookEndpoint) {
  const linkCode = link?.code ?? null;
  return RECEIVERS.toRow({ ...endpoint, linkCode, linkExpiresTs: link?.expiresTs ?? null });
}

function fromRow(row: RowOf<typeof RECEIVERS.columns>): WebhookEndpoint {
  const { linkCode, linkExpiresTs, ...endpoint } = RECEIVERS.fromRow(row);
  return { ...endpoint, link: linkCode === null ? null : { code: linkCode, expiresTs: linkExpiresTs! } };
}
