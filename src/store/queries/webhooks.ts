// Webhook endpoints and their pending deliveries.

import type { Connection } from '../engine.ts';
import type { WebhookDelivery, WebhookEndpoint, WebhookStore } from '../ports-alerts.ts';
import type { WebhookDeliveriesTable, WebhooksTable } from '../schema.ts';
import { type Columns, insertNew, updateEach } from './many-rows.ts';
import { forgetChannel, insertRules, raiseRulesRevision } from './rules.ts';

const DELIVERY_COLUMNS: Columns<WebhookDeliveriesTable> = {
  delivery_id: 'text',
  webhook_id: 'text',
  topic: 'text',
  body: 'text',
  attempts: 'bigint',
  next_attempt_ts: 'bigint',
  status: 'text',
  last_response: 'text',
  created_ts: 'bigint',
  updated_ts: 'bigint',
};

/** Columns that an attempt changes. */
type Outcome = Omit<WebhookDeliveriesTable, 'webhook_id' | 'topic' | 'body' | 'created_ts'>;

const OUTCOME_COLUMNS: Columns<Outcome> = {
  delivery_id: 'text',
  attempts: 'bigint',
  next_attempt_ts: 'bigint',
  status: 'text',
  last_response: 'text',
  updated_ts: 'bigint',
};

export function createWebhookQueries(connection: Connection): WebhookStore {
  return { ...createEndpointQueries(connection), ...createDeliveryQueries(connection) };
}

type DeliveryQueries = 'enqueue' | 'note' | 'listDue' | 'listDeliveries' | 'findDelivery' | 'prune';

function createEndpointQueries(connection: Connection): Omit<WebhookStore, DeliveryQueries> {
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
    async insert(endpoint, mostOfKey, rules = []) {
      const { keyId } = endpoint;
      // A no-op update locks the key until the transaction ends, so concurrent inserts for the key wait.
      await db.updateTable('api_keys').set({ key_id: keyId }).where('key_id', '=', keyId).execute();
      if (mostOfKey !== undefined && (await countOfKey(keyId)) >= mostOfKey) return false;
      await db.insertInto('webhooks').values(toRow(endpoint)).execute();
      await insertRules(connection, rules);
      return true;
    },

    async remove(keyId, webhookId) {
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

    async listForKey(keyId) {
      const rows = await db
        .selectFrom('webhooks')
        .selectAll()
        .where('key_id', '=', keyId)
        .orderBy('created_ts')
        .orderBy('webhook_id')
        .execute();
      return rows.map(fromRow);
    },

    async listStanding(nowTs, webhookIds) {
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

    async completeLink(code, url, nowTs) {
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

    async disable(webhookId, disabledTs, reason) {
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

function createDeliveryQueries(connection: Connection): Pick<WebhookStore, DeliveryQueries> {
  const { db } = connection;
  const selectDeliveries = () => db.selectFrom('webhook_deliveries').selectAll();

  return {
    enqueue: (deliveries) => enqueueDeliveries(connection, deliveries),

    note: (deliveries) =>
      updateEach(connection, 'webhook_deliveries', OUTCOME_COLUMNS, deliveries.map(toDeliveryRow)),

    async listDue(nowTs, limit, exceptWebhookIds = []) {
      let due = selectDeliveries().where('status', '=', 'pending').where('next_attempt_ts', '<=', nowTs);
      if (exceptWebhookIds.length > 0) due = due.where('webhook_id', 'not in', exceptWebhookIds);
      const rows = await due.orderBy('next_attempt_ts').orderBy('delivery_id').limit(limit).execute();
      return rows.map(fromDeliveryRow);
    },

    async listDeliveries(webhookId, limit) {
      const rows = await selectDeliveries()
        .where('webhook_id', '=', webhookId)
        .orderBy('created_ts', 'desc')
        .orderBy('delivery_id', 'desc')
        .limit(limit)
        .execute();
      return rows.map(fromDeliveryRow);
    },

    async findDelivery(deliveryId) {
      const row = await selectDeliveries().where('delivery_id', '=', deliveryId).executeTakeFirst();
      return row && fromDeliveryRow(row);
    },

    /** Never deletes pending deliveries. */
    async prune(beforeTs) {
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
  return insertNew(connection, 'webhook_deliveries', DELIVERY_COLUMNS, deliveries.map(toDeliveryRow));
}

function toRow(endpoint: WebhookEndpoint): WebhooksTable {
  return {
    webhook_id: endpoint.webhookId,
    key_id: endpoint.keyId,
    url: endpoint.url,
    secret: endpoint.secret,
    created_ts: endpoint.createdTs,
    disabled_ts: endpoint.disabledTs,
    kind: endpoint.kind,
    label: endpoint.label,
    link_code: endpoint.link?.code ?? null,
    link_expires_ts: endpoint.link?.expiresTs ?? null,
  };
}

function fromRow(row: WebhooksTable): WebhookEndpoint {
  return {
    webhookId: row.webhook_id,
    keyId: row.key_id,
    kind: row.kind as WebhookEndpoint['kind'],
    label: row.label,
    url: row.url,
    secret: row.secret,
    createdTs: row.created_ts,
    disabledTs: row.disabled_ts,
    link: row.link_code === null ? null : { code: row.link_code, expiresTs: row.link_expires_ts! },
  };
}

function toDeliveryRow(delivery: WebhookDelivery): WebhookDeliveriesTable {
  return {
    delivery_id: delivery.deliveryId,
    webhook_id: delivery.webhookId,
    topic: delivery.topic,
    body: delivery.body,
    attempts: delivery.attempts,
    next_attempt_ts: delivery.nextAttemptTs,
    status: delivery.status,
    last_response: delivery.lastResponse,
    created_ts: delivery.createdTs,
    updated_ts: delivery.updatedTs,
  };
}

function fromDeliveryRow(row: WebhookDeliveriesTable): WebhookDelivery {
  return {
    deliveryId: row.delivery_id,
    webhookId: row.webhook_id,
    topic: row.topic,
    body: row.body,
    attempts: row.attempts,
    nextAttemptTs: row.next_attempt_ts,
    status: row.status as WebhookDelivery['status'],
    lastResponse: row.last_response,
    createdTs: row.created_ts,
    updatedTs: row.updated_ts,
  };
}
