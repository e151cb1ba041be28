// A channel's deliveries: list them, and send one again.

import type { Static } from 'typebox';
import { envelope, MaybeTs, named, objectEnvelope, Ts } from '../../contract/envelope.ts';
import { Type } from '../../contract/schema.ts';
import type { WebhookDelivery } from '../../store/ports.ts';
import type { RouteContext } from '../context.ts';
import { okUncached } from '../http/answer.ts';
import { ApiError } from '../http/error-responses.ts';
import { API_PREFIX, defineRoute, type Route } from '../http/route.ts';
import { MaybeText } from './alerts.ts';

const Delivery = named(
  'WebhookDelivery',
  Type.Object({
    delivery_id: Type.String(),
    topic: Type.String({ description: 'The `type` of the message' }),
    status: Type.Enum(['pending', 'delivered', 'failed']),
    attempts: Type.Integer(),
    next_attempt_ts: MaybeTs,
    last_response: MaybeText,
    created_ts: Ts,
    updated_ts: Ts,
  }),
);
const WebhookDeliveries = envelope('WebhookDeliveries', Delivery);
const WebhookReplayed = objectEnvelope('WebhookReplayed', Delivery);
const DeliveriesQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: 50 })),
});

const PATH = `${API_PREFIX}/channels/{channel_id}/deliveries`;

export function deliveriesRoutes(context: RouteContext): Route[] {
  return [listRoute(context), replayRoute(context)];
}

function listRoute(context: RouteContext): Route {
  return defineRoute({
    path: PATH,
    access: 'PRO',
    query: DeliveriesQuery,
    document: {
      tag: 'Alerts',
      operationId: 'listChannelDeliveries',
      summary: 'List deliveries, newest first',
      ok: WebhookDeliveries,
      also: [404],
    },
    async handle({ params, identity, query, nowTs }) {
      await requireOwn(context, identity!.keyId, params.channel_id!);
      const { store, withDeadline } = context;
      const deliveries = await withDeadline(store.webhooks.listDeliveries(params.channel_id!, query.limit!));
      return okUncached({ timestamp: nowTs, data: deliveries.map(presentDelivery) });
    },
  });
}

function replayRoute(context: RouteContext): Route {
  const { store, wallClock, withDeadline } = context;
  return defineRoute({
    method: 'POST',
    path: `${PATH}/{delivery_id}/replay`,
    access: 'PRO',
    document: {
      tag: 'Alerts',
      operationId: 'replayChannelDelivery',
      summary: 'Send a delivery again',
      ok: WebhookReplayed,
      also: [404],
    },
    async handle({ params, identity, nowTs }) {
      await requireOwn(context, identity!.keyId, params.channel_id!);
      const delivery = await withDeadline(store.webhooks.findDelivery(params.delivery_id!));
      if (delivery?.webhookId !== params.channel_id) throw new ApiError(404, 'Not Found');
      const wallTs = wallClock.now();
      const restart = { status: 'pending', attempts: 0, nextAttemptTs: wallTs, updatedTs: wallTs } as const;
      const again: WebhookDelivery = { ...delivery!, ...restart };
      await withDeadline(store.webhooks.note([again]));
      return okUncached({ timestamp: nowTs, data: presentDelivery(again) });
    },
  });
}

/** A caller cannot see another key's channels. */
async function requireOwn(
  { store, withDeadline }: RouteContext,
  keyId: string,
  channelId: string,
): Promise<void> {
  const own = await withDeadline(store.webhooks.listForKey(keyId));
  if (!own.some(({ webhookId }) => webhookId === channelId)) throw new ApiError(404, 'Not Found');
}

function presentDelivery(delivery: WebhookDelivery): Static<typeof Delivery> {
  return {
    delivery_id: delivery.deliveryId,
    topic: delivery.topic,
    status: delivery.status,
    attempts: delivery.attempts,
    next_attempt_ts: delivery.nextAttemptTs,
    last_response: delivery.lastResponse,
    created_ts: delivery.createdTs,
    updated_ts: delivery.updatedTs,
  };
}
