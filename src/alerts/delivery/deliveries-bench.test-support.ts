// Deliveries to simulated receivers, with endpoints and alerts in memory and a manual clock.

import { createManualClock } from '../../runtime/clock.ts';
import { silentLogger } from '../../runtime/logger.ts';
import { createRandom } from '../../runtime/random.ts';
import type { WebhookDelivery, WebhookEndpoint, WebhookStore } from '../../store/ports.ts';
import { createDeliveries } from './deliveries.ts';
import type { GuardedPost, PostOutcome } from './post-guarded.ts';
import { createWebhookSecret, createWebhookSender, type SendOutcome } from './send-alert.ts';

export const NOW_TS = 1_790_000_000_000;

export function createBench(
  webhookIds: readonly string[],
  answer: (post: GuardedPost) => Promise<PostOutcome>,
  say?: () => SendOutcome,
) {
  const clock = createManualClock(NOW_TS);
  const alerts = new Map<string, WebhookDelivery>();
  const endpoints: WebhookEndpoint[] = webhookIds.map((webhookId) => ({
    webhookId,
    keyId: `key-${webhookId}`,
    url: `https://${webhookId}.example/`,
    secret: createWebhookSecret(),
    createdTs: 0,
    disabledTs: null,
    kind: webhookId === 'chat' ? ('discord' as const) : ('webhook' as const),
    label: '',
    link: null,
  }));
  const unused = () => Promise.reject(new Error('not used'));
  const webhooks: WebhookStore = {
    listStanding: async () => endpoints.filter(({ disabledTs }) => disabledTs === null),
    async listDue(nowTs, limit, except = []) {
      const away = new Set(except);
      return [...alerts.values()]
        .filter(({ status, nextAttemptTs }) => status === 'pending' && nextAttemptTs! <= nowTs)
        .filter(({ webhookId }) => !away.has(webhookId))
        .slice(0, limit);
    },
    note: async (outcomes) => {
      for (const outcome of outcomes) alerts.set(outcome.deliveryId, outcome);
    },
    async disable(webhookId, disabledTs, reason) {
      for (const endpoint of endpoints)
        if (endpoint.webhookId === webhookId) endpoint.disabledTs = disabledTs;
      for (const [id, alert] of alerts) {
        if (alert.webhookId === webhookId && alert.status === 'pending')
          alerts.set(id, { ...alert, status: 'failed', nextAttemptTs: null, lastResponse: reason });
      }
    },
    insert: unused,
    remove: unused,
    listForKey: unused,
    enqueue: unused,
    completeLink: unused,
    listDeliveries: unused,
    findDelivery: unused,
    prune: unused,
  };
  const deliveries = createDeliveries({
    send: say ? async () => say() : createWebhookSender(answer, clock),
    webhooks,
    clock,
    random: createRandom(1),
    logger: silentLogger,
  });
  const add = (webhookId: string, deliveryId: string) =>
    void alerts.set(deliveryId, {
      deliveryId,
      webhookId,
      topic: 'post.created',
      body: '{}',
      attempts: 0,
      status: 'pending',
      nextAttemptTs: clock.now(),
      lastResponse: null,
      createdTs: clock.now(),
      updatedTs: clock.now(),
    });
  return { clock, alerts, endpoints, deliveries, add };
}
