// Delivers what is due: signed, with time-outs, again after growing pauses, for a day; then it is given up
// and stays in the log, from which its owner can have it replayed.

import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../domain/units.ts';
import type { Clock } from '../../runtime/clock.ts';
import { errorMessage } from '../../runtime/errors.ts';
import type { Logger } from '../../runtime/logger.ts';
import type { Random } from '../../runtime/random.ts';
import { createRepeat } from '../../runtime/repeat.ts';
import type { WebhookDelivery, WebhookEndpoint, WebhookStore } from '../../store/ports.ts';
import type { PostWebhook } from './post-guarded.ts';
import { signWebhook } from './signature.ts';

export interface DeliveriesOptions {
  webhooks: WebhookStore;
  post: PostWebhook;
  clock: Clock;
  random: Random;
  logger: Logger;
}

export interface Deliveries {
  start(): void;
  /** Looks for due deliveries now rather than at the next round. */
  wake(): void;
  stop(): Promise<void>;
}

/** Pauses before the second, third ... attempt; with jitter on top. */
const RETRY_AFTER_MS = [
  5 * SECOND_MS,
  30 * SECOND_MS,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  HOUR_MS,
  3 * HOUR_MS,
  8 * HOUR_MS,
  12 * HOUR_MS,
];
const ROUND_MS = 2 * SECOND_MS;
const BATCH = 50;
const POST_TIMEOUT_MS = 10 * SECOND_MS;

export function createDeliveries(options: DeliveriesOptions): Deliveries {
  const { webhooks, clock, logger } = options;

  async function round(): Promise<void> {
    const due = await webhooks.listDue(clock.now(), BATCH);
    if (due.length === 0) return;
    const standing = await webhooks.listStanding(clock.now());
    const endpoints = new Map(standing.map((endpoint) => [endpoint.webhookId, endpoint]));
    await Promise.all(due.map((delivery) => attempt(delivery, endpoints.get(delivery.webhookId))));
  }

  async function attempt(delivery: WebhookDelivery, endpoint: WebhookEndpoint | undefined): Promise<void> {
    if (!endpoint) {
      await webhooks.update({
        ...delivery,
        status: 'failed',
        nextAttemptTs: null,
        lastResponse: 'the endpoint is gone, or its key was revoked or is over',
        updatedTs: clock.now(),
      });
      return;
    }
    const timestampS = Math.floor(clock.now() / 1000);
    const outcome = await options.post({
      url: endpoint.url,
      body: delivery.body,
      timeoutMs: POST_TIMEOUT_MS,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'tallycast-webhooks/1',
        'webhook-id': delivery.deliveryId,
        'webhook-timestamp': String(timestampS),
        'webhook-signature': signWebhook(endpoint.secret, delivery.deliveryId, timestampS, delivery.body),
      },
    });
    const isDelivered = outcome.status !== null && outcome.status >= 200 && outcome.status < 300;
    await webhooks.update({
      ...delivery,
      ...judge(delivery.attempts + 1, isDelivered),
      lastResponse: describe(outcome),
      updatedTs: clock.now(),
    });
  }

  function judge(
    attempts: number,
    isDelivered: boolean,
  ): Pick<WebhookDelivery, 'attempts' | 'status' | 'nextAttemptTs'> {
    if (isDelivered) return { attempts, status: 'delivered', nextAttemptTs: null };
    const pauseMs = RETRY_AFTER_MS[attempts - 1];
    if (pauseMs === undefined) return { attempts, status: 'failed', nextAttemptTs: null };
    const jitterMs = pauseMs * 0.2 * options.random.uniform();
    return { attempts, status: 'pending', nextAttemptTs: Math.ceil(clock.now() + pauseMs + jitterMs) };
  }

  const rounds = createRepeat({
    clock,
    pauseMs: ROUND_MS,
    run: round,
    onError: (error) => logger.warn({ error: errorMessage(error) }, 'webhook round failed'),
  });
  return { start: () => void rounds.start(), wake: rounds.wake, stop: rounds.stop };
}

function describe(outcome: { status: number | null; problem: string | null }): string {
  return outcome.status === null ? (outcome.problem ?? 'no response') : `status ${outcome.status}`;
}
