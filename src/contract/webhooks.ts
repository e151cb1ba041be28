// Request and response schemas for webhooks.

import { WEBHOOK_TOPICS } from '../domain/webhook-topic.ts';
import { envelope, MaybeTs, named, objectEnvelope, Ts } from './envelope.ts';
import { CLOSED, Type } from './schema.ts';

export const WebhookBody = Type.Object(
  {
    url: Type.String({ maxLength: 2000, description: 'Public https URL of the receiver' }),
    topics: Type.Optional(
      Type.String({
        maxLength: 300,
        default: '*',
        description: `Comma-separated, or * for all: ${WEBHOOK_TOPICS.join(', ')}`,
      }),
    ),
  },
  CLOSED,
);

const webhookFields = {
  webhook_id: Type.String(),
  url: Type.String(),
  topics: Type.Array(Type.String()),
  created_ts: Ts,
  disabled_ts: {
    ...MaybeTs,
    description:
      'When the webhook was disabled, because it kept failing or its key was revoked; null while active',
  },
};

export const WebhookCreated = objectEnvelope(
  'WebhookCreated',
  Type.Object({
    ...webhookFields,
    secret: Type.String({ description: 'Signs every delivery; shown only here' }),
  }),
);
export const WebhookList = envelope('WebhookList', named('Webhook', Type.Object(webhookFields)));
export const WebhookRemoved = objectEnvelope('WebhookRemoved', Type.Object({ webhook_id: Type.String() }));

const Delivery = named(
  'WebhookDelivery',
  Type.Object({
    delivery_id: Type.String(),
    topic: Type.String(),
    status: Type.Enum(['pending', 'delivered', 'failed']),
    attempts: Type.Integer(),
    next_attempt_ts: MaybeTs,
    last_response: Type.Union([Type.String(), Type.Null()]),
    created_ts: Ts,
    updated_ts: Ts,
  }),
);
export const WebhookDeliveries = envelope('WebhookDeliveries', Delivery);
export const WebhookReplayed = objectEnvelope('WebhookReplayed', Delivery);

export const DeliveriesQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: 50 })),
});
