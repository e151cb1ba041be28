// Delivers what is due: signed, with time-outs, again after growing pauses, for a day; then it is given up
// and stays in the log, from which its owner can have it replayed. Every receiver has its own turn: while one is slow,
// its notices wait, and nobody else's. One that keeps failing is disabled.

import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../domain/units.ts';
import type { Clock } from '../../runtime/clock.ts';
import { errorMessage } from '../../runtime/errors.ts';
import type { Logger } from '../../runtime/logger.ts';
import type { Random } from '../../runtime/random.ts';
import { createRepeat } from '../../runtime/repeat.ts';
import type { WebhookDelivery, WebhookEndpoint, WebhookStore } from '../../store/ports.ts';
import type { PostWebhook } from './post-guarded.ts';
import { createReceiverHealth, FAILING_FOR_MS, FAILURES_IN_A_ROW } from './receiver-health.ts';
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
/** Notices that one receiver is sent at once, receivers of one key, and receivers in all that are being told something. */
const PER_TURN = 5;
const TURNS_OF_A_KEY = 10;
const MAX_TURNS = 400;
const POST_TIMEOUT_MS = 10 * SECOND_MS;

export function createDeliveries(options: DeliveriesOptions): Deliveries {
  const { webhooks, clock, logger } = options;
  const health = createReceiverHealth();
  /** Receivers whose turn it is, with the key that owns them. */
  const turns = new Map<string, { keyId: string | null; ended: Promise<void> }>();

  /** Begins the turns of all receivers that something is due for; waits for none of them. */
  async function round(signal: AbortSignal): Promise<void> {
    const passedOver = new Set<string>();
    while (!signal.aborted && turns.size < MAX_TURNS) {
      const due = await webhooks.listDue(clock.now(), BATCH, [...turns.keys(), ...passedOver]);
      if (due.length === 0) return;
      const standing = await webhooks.listStanding(clock.now());
      const endpoints = new Map(standing.map((endpoint) => [endpoint.webhookId, endpoint]));
      for (const [webhookId, notices] of Map.groupBy(due, (delivery) => delivery.webhookId)) {
        const endpoint = endpoints.get(webhookId);
        if (endpoint && countTurns(endpoint.keyId) >= TURNS_OF_A_KEY) passedOver.add(webhookId);
        else beginTurn(webhookId, endpoint, notices.slice(0, PER_TURN));
      }
    }
  }

  function countTurns(keyId: string): number {
    return [...turns.values()].filter((turn) => turn.keyId === keyId).length;
  }

  function beginTurn(
    webhookId: string,
    endpoint: WebhookEndpoint | undefined,
    notices: readonly WebhookDelivery[],
  ): void {
    const ended = Promise.all(notices.map((delivery) => attempt(delivery, endpoint)))
      .catch((error) => logger.warn({ error: errorMessage(error) }, 'webhook attempt was not written down'))
      .then(() => {
        turns.delete(webhookId);
        rounds.wake();
      });
    turns.set(webhookId, { keyId: endpoint?.keyId ?? null, ended });
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
    if (health.note(endpoint.webhookId, isDelivered, clock.now())) await disable(endpoint);
  }

  async function disable({ webhookId, keyId }: WebhookEndpoint): Promise<void> {
    const reason = `disabled: ${FAILURES_IN_A_ROW} attempts in a row failed over ${FAILING_FOR_MS / HOUR_MS} hours`;
    await webhooks.disable(webhookId, clock.now(), reason);
    logger.warn({ webhookId, keyId }, `a webhook was ${reason}`);
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
  return {
    start: () => void rounds.start(),
    wake: rounds.wake,
    async stop() {
      await rounds.stop();
      await Promise.all([...turns.values()].map(({ ended }) => ended));
    },
  };
}

function describe(outcome: { status: number | null; problem: string | null }): string {
  return outcome.status === null ? (outcome.problem ?? 'no response') : `status ${outcome.status}`;
}
