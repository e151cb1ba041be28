// Webhooks and their deliveries as their owner sees them; the secret is shown only on creation.

import type { WebhookDelivery, WebhookEndpoint } from '../../store/ports.ts';

export function presentWebhook(endpoint: WebhookEndpoint) {
  return {
    webhook_id: endpoint.webhookId,
    url: endpoint.url,
    topics: endpoint.topics,
    created_ts: endpoint.createdTs,
    disabled_ts: endpoint.disabledTs,
  };
}

export function presentDelivery(delivery: WebhookDelivery) {
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
